#include "base/printable.h"
#include "fuzz/fuzz_target.h"
#include "runtime/prompt.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const templates::TemplateLimits limits{
      .max_template_bytes = 1u << 16, .max_output_bytes = 1u << 16, .max_nesting = 50, .max_steps = 20'000};
  const auto text = fuzz::text_of(data, size);
  const auto prompt = runtime::Prompt::parse(text, limits);
  if (!prompt) {
    fuzz::require(prompt.error().code() == ErrorCode::prompt_template,
                  "a bad template is an error of the prompt");
    fuzz::require(printable(prompt.error().detail(), true) == prompt.error().detail(),
                  "an error is printable");
    return 0;
  }
  const runtime::Item item{
      {"a", "x ${a} {{ a }}"}, {"j", R"({"k":[1,2.5,null,true,"x"],"z":{"y":1}})"}, {"n", "7"}};
  const auto rendered = prompt->render(item, "acme/api", "one");
  if (rendered) {
    fuzz::require(rendered->size() <= limits.max_output_bytes, "the text is within the limit");
  } else {
    fuzz::require(rendered.error().code() == ErrorCode::prompt_template,
                  "what cannot be rendered is the prompt's fault");
  }
  const bool is_plain = text.find_first_of("{$") == std::string_view::npos;
  if (is_plain && rendered) fuzz::require(text.starts_with(*rendered), "plain text stays as it is");
  return 0;
}
