#pragma once

#include <string>

namespace curupira::test {

/// @acme/x 1.2.3 as a registry would sign it. The keys were made for these tests and are used for nothing
/// else.
struct SignedPackage {
  std::string package = "@acme/x";
  std::string version = "1.2.3";
  std::string content = "tarball of x 1.2.3\n";
  std::string integrity =
      "sha512-kYGviDdVd9H+mgnc4QsBaxVJEZuGX/NDnbSKhL+RGpThcLL9GBOVxBhFhoQ36YD69R9Kv4nAq/Vsp7wAtsHklQ==";
  std::string text = package + "@" + version + ":" + integrity;
  std::string key =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHvtH5iVTLQv1pewKXRAmw2BImRmMqMynrDojWfhk5sExqQwfdwuUL7tkUMvnTNsr"
      "gmwWfVzRlxysAGkl7C2Z2w==";
  std::string key_id = "SHA256:PvK3+lrPKVOR/dF5FBM7lz63Uo7yJot+UOhIcOJeWso";  ///< as `ssh-keygen -l` has it
  std::string signature =
      "MEYCIQCcRu3WSMUJxhpmHzlBOH6/QI9FIcfWRXX+QpBBihXfVgIhAOQbsi5jz7WDNXLY6ranmEmhbKj8u3/vgNXSr0yBSHqz";

  std::string other_key =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExTKmLIC4jC8VoVWDIZDYPR9LFFeZywJ2LxHWzCjZcG8K9sbhyRICnBRPb1NQ2+yq"
      "jutMQmZ6ycXyOBAoz/Rvbg==";
  std::string other_signature =  ///< by `other_key`, of the same text
      "MEYCIQC1InbiG/sPhTpYJwDJYwarfYjpoOLF1vQsUAz0Ikl4tAIhAJemcDO7LM1VARTX1n8H8ae+E8hP5rbtfpDJTBr6G7MA";
};

}  // namespace curupira::test
