"""Third-party libraries from Conan, pinned, for those who want them newer or complete: the AWS SDK and redis-plus-plus come only
this way. The build itself asks nothing of Conan: cmake/Dependencies.cmake finds the same names in a distribution's packages.

    conan install . --build=missing -s build_type=Release -s compiler.cppstd=20
    cmake -S . -B build/conan -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-19 \
          -DCMAKE_TOOLCHAIN_FILE=build/conan/generators/conan_toolchain.cmake
"""

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMakeDeps, CMakeToolchain

required_conan_version = ">=2.0"

AWS_CLIENTS = ("sqs", "eventbridge", "sts")
# On by default in the recipe, each with more clients behind it.
AWS_UNUSED = ("access-management", "identity-management", "monitoring", "queues", "s3-encryption", "text-to-speech", "transfer")


class Crawler(ConanFile):
    name = "crawler"
    version = "0.1.0"
    settings = "os", "compiler", "build_type", "arch"

    # Without it SQS and EventBridge are asked by the client of our own, and a quarter of an hour of building is saved.
    options = {"aws_sdk": [True, False]}

    default_options = {
        "aws_sdk": True,
        # Only what the fleet calls. Boost: JSON, URL and headers; the rest of its libraries takes half an hour to build.
        "boost/*:without_contract": True,
        "boost/*:without_coroutine": True,
        "boost/*:without_fiber": True,
        "boost/*:without_graph": True,
        "boost/*:without_iostreams": True,
        "boost/*:without_locale": True,
        "boost/*:without_log": True,
        "boost/*:without_math": True,
        "boost/*:without_nowide": True,
        "boost/*:without_program_options": True,
        "boost/*:without_serialization": True,
        "boost/*:without_stacktrace": True,
        "boost/*:without_test": True,
        "boost/*:without_timer": True,
        "boost/*:without_type_erasure": True,
        "boost/*:without_wave": True,
        **{f"aws-sdk-cpp/*:{client}": True for client in AWS_CLIENTS},
        **{f"aws-sdk-cpp/*:{client}": False for client in AWS_UNUSED},
        # /metrics is served by our own HTTP server.
        "prometheus-cpp/*:with_pull": False,
        "prometheus-cpp/*:with_push": False,
        "soci/*:with_mysql": True,
        "soci/*:with_sqlite3": True,
    }

    def requirements(self):
        self.requires("boost/1.83.0")
        self.requires("openssl/3.5.7")
        self.requires("yaml-cpp/0.8.0")
        self.requires("spdlog/1.15.3")
        self.requires("cli11/2.4.2")
        self.requires("prometheus-cpp/1.3.0")
        self.requires("soci/4.0.3")
        self.requires("redis-plus-plus/1.3.15")
        if self.options.aws_sdk:
            self.requires("aws-sdk-cpp/1.11.692")
        self.test_requires("catch2/3.15.3")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        self.folders.generators = "build/conan/generators"

    def generate(self):
        dependencies = CMakeDeps(self)
        # The SDK's own names for its targets, which Conan's recipe changes.
        for client in AWS_CLIENTS:
            dependencies.set_property(f"aws-sdk-cpp::{client}", "cmake_target_name", f"aws-cpp-sdk-{client}")
        dependencies.generate()
        toolchain = CMakeToolchain(self, generator="Ninja")
        toolchain.user_presets_path = False
        toolchain.generate()
