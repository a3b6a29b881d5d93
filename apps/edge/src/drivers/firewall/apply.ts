import { rm, writeFile } from "node:fs/promises";
import type { Box } from "#drivers/box.ts";
import type { Driver } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import { ensureNetns } from "#drivers/netns.ts";
import { loadedFile, observeFirewall, readListing } from "./observe.ts";
import {
  type FirewallPart,
  type FirewallStep,
  type FoundRules,
  pickFirewall,
  planFirewall,
} from "./plan.ts";
import { table } from "./render.ts";

/** Chains of our table that the text does not have: emptied by it, but not gone. */
const strayChains = (listing: string | null, text: string): string[] =>
  (JSON.parse(listing ?? "[]") as { readonly chain?: { readonly name: string } }[]).flatMap(
    ({ chain }) => (chain && !text.includes(`chain ${chain.name} `) ? [chain.name] : []),
  );

/** Loads the rules and writes down what the kernel makes of them. */
const load = async (box: Box, netns: string | null, text: string): Promise<void> => {
  await box.run(["nft", "-f", "-"], { netns, input: text });
  const stray = strayChains(await readListing(box.run, netns), text);
  const deletions = stray.map((name) => `delete chain inet ${table} ${name}\n`).join("");
  if (stray.length > 0) await box.run(["nft", "-f", "-"], { netns, input: deletions });
  const listing = await readListing(box.run, netns);
  await writeFile(loadedFile(box, netns), JSON.stringify({ text, listing }));
};

const run = async (box: Box, step: FirewallStep): Promise<void> => {
  if (step.kind === "drop") {
    await box.run(["nft", "-f", "-"], {
      input: `add table inet ${table}\ndelete table inet ${table}\n`,
    });
    await rm(loadedFile(box, null), { force: true });
    return;
  }
  const { netns, text } = step;
  // The rules of a space are in place before its first link is.
  if (netns !== null) await ensureNetns(box.run, netns);
  await load(box, netns, text);
};

/** Which packets pass (dataplane section 4). */
export const createFirewall = (
  box: Box,
): Driver<FirewallPart, readonly FoundRules[], FirewallStep> => ({
  name: "firewall",
  pick: pickFirewall,
  validate: async (part) => {
    for (const text of new Set(part.map((rules) => rules.text))) {
      // In a namespace that ends with the check, where one can be made: the rules of this device cannot
      // colour the answer there.
      const check = ["nft", "-c", "-f", "-"] as const;
      const isApart = await succeeds(box.run, ["unshare", "--net", "true"]);
      await box.run(isApart ? ["unshare", "--net", ...check] : check, { input: text });
    }
  },
  observe: (part) => observeFirewall(box, part),
  plan: planFirewall,
  run: (step) => run(box, step),
});
