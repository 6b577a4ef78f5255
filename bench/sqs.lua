-- What our SQS client asks, asked by wrk: send ten messages, receive ten, delete those. It signs nothing and keeps nothing, so that what
-- comes out is the emulator's own limit. Arguments: the URL of the queue, the body of a message.
local queue, body
local number = 0     -- of the messages that were sent
local waiting = 0    -- messages on the queue that no receive was asked for yet
local to_delete = {} -- receipts, as they came
deleted = 0
failed = 0

local threads = {}
function setup(thread) table.insert(threads, thread) end

function init(args)
    queue, body = args[1], args[2]
    -- Threads must not send the same deduplication ids.
    number = math.floor(tonumber(tostring({}):match("0x(%x+)"), 16) % 1000000) * 1000000
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/x-amz-json-1.0"
    wrk.headers["Authorization"] =
        "AWS4-HMAC-SHA256 Credential=wrk/20260101/ap-northeast-2/sqs/aws4_request, SignedHeaders=host, Signature=0"
end

local function ask(action, json)
    wrk.headers["X-Amz-Target"] = "AmazonSQS." .. action
    return wrk.format(nil, "/", nil, '{"QueueUrl":"' .. queue .. '",' .. json .. "}")
end

local function send()
    local entries = {}
    for i = 1, 10 do
        number = number + 1
        entries[i] = string.format('{"Id":"%d","MessageBody":"%s","MessageGroupId":"g%d","MessageDeduplicationId":"d%d"}', i, body, number, number)
    end
    return ask("SendMessageBatch", '"Entries":[' .. table.concat(entries, ",") .. "]")
end

local function delete()
    local entries = {}
    for i = 1, math.min(10, #to_delete) do
        entries[i] = string.format('{"Id":"%d","ReceiptHandle":"%s"}', i, table.remove(to_delete))
    end
    return ask("DeleteMessageBatch", '"Entries":[' .. table.concat(entries, ",") .. "]")
end

function request()
    if #to_delete >= 10 then return delete() end
    if waiting >= 10 then
        waiting = waiting - 10
        return ask("ReceiveMessage", '"MaxNumberOfMessages":10,"WaitTimeSeconds":0,"AttributeNames":["ApproximateReceiveCount"]')
    end
    return send()
end

-- Which answer it is, its own text says.
function response(status, _, text)
    if status ~= 200 then
        failed = failed + 1
        return
    end
    local receipts = 0
    for receipt in text:gmatch('"ReceiptHandle"%s*:%s*"([^"]+)"') do
        receipts = receipts + 1
        to_delete[#to_delete + 1] = receipt
    end
    if receipts > 0 then return end
    local _, entries = text:gsub('"Id"%s*:', "")
    if text:find('"MessageId"', 1, true) then waiting = waiting + entries else deleted = deleted + entries end
end

function done(summary)
    local messages, failures = 0, 0
    for _, thread in ipairs(threads) do
        messages = messages + thread:get("deleted")
        failures = failures + thread:get("failed")
    end
    print(string.format("messages %d failures %d seconds %.3f", messages, failures, summary.duration / 1e6))
end
