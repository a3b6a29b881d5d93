/** What is written into the tables of classes, by a tool that only notes it. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../..", import.meta.url));

/** A space with two links, whose real-time traffic has left the first one. */
const program = `
import { ClassRouter } from "#drivers/classes/router.ts";

const batches = [];
const offer = (peerId, locPrf) => ({ valid: true, peerId, locPrf });
const routes = { "10.1.1.0/24": [offer("10.255.21.0", 290), offer("10.255.22.0", 280)] };
const main = [{ dst: "10.1.1.0/24", dev: "wl21", protocol: "186" }];
const run = async (argv, { input } = {}) => {
  if (argv.includes("-batch")) batches.push(input.trim());
  if (argv[0] === "vtysh") return JSON.stringify({ routes: argv.join(" ").includes("ipv4") ? routes : {} });
  if (argv.includes("show")) return "[]";
  return JSON.stringify(argv.includes("-4") ? main : []);
};
const link = (id, preference) => ({
  id,
  interfaceName: "wl" + id,
  preference,
  peer: { 4: "10.255." + id + ".0", 6: "fd57:ff:" + id + "::" },
});
const space = { netns: null, classes: ["realtime"], links: [link(21, 290), link(22, 280)], special: [] };
const router = new ClassRouter({ run, runDir: "/nowhere" });
const ways = {
  ranks: new Map([["realtime", new Map([[21, 1]])]]),
  plain: new Map(),
  quiet: new Set(),
  pins: false,
};
await router.sync(space, ways);
await router.drop(new Set(["wl22"]));
// The line is a special one now, and nothing was left for it.
await router.sync({ ...space, special: [22] }, { ...ways, ranks: new Map() });
// The kernel has lost them: the reading finds none.
await router.sync({ ...space, special: [22] }, { ...ways, ranks: new Map() });
console.log(JSON.stringify(batches));
`;

// In a program of its own: one that never ends takes its test along.
test("routes by a link that fell silent are taken out, once; those of a special line come again when they are gone", () => {
  const argv = ["--input-type=module", "-e", program];
  const text = execFileSync(process.execPath, argv, {
    cwd: folder,
    timeout: 60_000,
    killSignal: "SIGKILL",
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(JSON.parse(text)).toEqual([
    "route replace 10.1.1.0/24 via 10.255.22.0 dev wl22 onlink table 121 proto 99",
    "route del 10.1.1.0/24 table 121 proto 99",
    "route replace 10.1.1.0/24 via 10.255.22.0 dev wl22 onlink table 121 proto 99",
    "route replace 10.1.1.0/24 via 10.255.22.0 dev wl22 onlink table 121 proto 99",
  ]);
});
