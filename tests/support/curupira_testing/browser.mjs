// Drives Chromium for the Python tests: a JSON object a line comes in, one goes out (curupira_testing/browser.py).
//
//   node browser.mjs PLAYWRIGHT_CORE CHROMIUM

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [playwright, chromium] = process.argv.slice(2);
const browser = await createRequire(import.meta.url)(playwright).chromium.launch({
  executablePath: chromium,
  chromiumSandbox: process.getuid() !== 0,
  // What a page asks of another host fails, instead of leaving the machine.
  args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
});

let page;
let log;

async function fresh({ width = 1100, height = 900, scheme = "light" }) {
  await page?.context().close();
  log = { problems: [], requests: [] };
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  page = await context.newPage();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && log.problems.push(message.text()));
  page.on("pageerror", (error) => log.problems.push(String(error)));
  page.on("dialog", (dialog) => {
    log.problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => log.requests.push(request.url()));
}

const actions = {
  fresh,
  open: async ({ url }) => {
    // Anew, also when only what follows the '#' is another.
    await page.goto("about:blank");
    await page.goto(url);
  },
  // Asked from outside: the page's policy permits no evaluation of its own.
  wait: async ({ script }) => {
    const end = Date.now() + 20_000;
    while (!(await page.evaluate(script))) {
      if (Date.now() > end) throw new Error("not within 20 s");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  evaluate: ({ script }) => page.evaluate(script),
  press: ({ key }) => page.keyboard.press(key),
  type: ({ text }) => page.keyboard.insertText(text),
  click: ({ role, name }) => page.getByRole(role, { name, exact: true }).click(),
  back: async () => {
    await page.goBack();
  },
  tree: () => page.locator("body").ariaSnapshot(),
  screenshot: async ({ path }) => {
    await page.screenshot({ path, fullPage: true });
  },
  log: () => log,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { action, ...options } = JSON.parse(line);
  let answer;
  try {
    answer = { result: (await actions[action](options)) ?? null };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
