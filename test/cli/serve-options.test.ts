import { expect, test } from "vitest";
import { centavoIn } from "./commands.ts";
import { folderWith } from "./story-folder.ts";

const folder = folderWith({
  "wrong.mjs": 'export default { title: "wrong", script() {}, options: { now: "nonsense" } };',
});

test.for([
  ["--now=nonsense", '--now is "nonsense". It takes a moment: '],
  ["--clock=real:0", '--clock is {"real":0}: a factor is above 0'],
  ["--base-url=nonsense", '--base-url is "nonsense". It takes the URL that the merchant calls'],
  ["--webhook-url=nonsense", '--webhook-url is "nonsense". It takes the merchant\'s receiver'],
  ["--allow-host=http://centavo", '--allow-host has the entry "http://centavo". It takes a list of host names'],
  ["--allow-origin=*", '--allow-origin has the entry "*". It takes a list of origins'],
  ["--allow-webhooks-to=a b", '--allow-webhooks-to has the entry "a b". It takes a list of host names'],
  ["--world-idle=soon", '--world-idle is "soon". It takes a time of up to 24 days, such as "30 minutes".'],
  ["--assumption=http.eror-status=422", '--assumption: no assumption has the id "http.eror-status"'],
  ["--story=gone.ts", '--story: there is no file "gone.ts" in '],
  ["--story=.", '--story: there is no file "." in '],
] as const)("%s is refused by its own name", async ([option, message]) => {
  await expect(centavoIn(folder, "serve", "--port=0", option)).rejects.toThrow(message);
});

test("a wrong option of a story is not blamed on the command", async () => {
  await expect(centavoIn(folder, "serve", "--port=0", "--story=wrong.mjs")).rejects.toThrow(
    'createSimulator: the option now is "nonsense".',
  );
});
