import { treeMajor } from "@weft/contract/device/v1/shaping.ts";
import type { Run } from "#drivers/exec.ts";
import { treeDevices } from "./render.ts";

export interface FoundDevice {
  readonly name: string;
  /** It is one of our trees. */
  readonly isTree: boolean;
  /** "htb 1:" of its root; null: a queue of the kernel's own. */
  readonly root: string | null;
  /** Ids of its classes, leaves first. */
  readonly classes: readonly string[];
  /** Text of the classes and filters, without what each load gives another number. */
  readonly text: string;
  /** It redirects into one of our trees. */
  readonly redirects: boolean;
  /** It has the place where filters for what leaves are. */
  readonly hasEgress: boolean;
}

interface Qdisc {
  readonly kind: string;
  readonly handle?: string;
  readonly dev: string;
  readonly root?: boolean;
  readonly parent?: string;
}

const ours: readonly string[] = Object.values(treeDevices);
const lineRoot = `htb ${treeMajor.line}:`;

/** Without numbers that each load changes, and without what counts packets. */
const withoutNumbers = (text: string): string =>
  text
    .replaceAll(/ index \d+ ref \d+ bind \d+/g, "")
    .replaceAll(
      /\b(?:index|ref|bind|id) \d+|\btag [0-9a-f]+|\bjited\b|\bdirect_packets_stat \d+/g,
      "",
    )
    .replaceAll(/[ \t]+/g, " ");

const sortedLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .sort()
    .join("\n");

const classOf = /^class htb (\S+) (root|parent)/;

const readDevice = async (
  run: Run,
  name: string,
  qdiscs: readonly Qdisc[],
): Promise<FoundDevice> => {
  const ofDevice = qdiscs.filter(({ dev }) => dev === name);
  const top = ofDevice.find(({ root, kind }) => root && kind !== "noqueue");
  const root = top?.kind === "htb" ? `htb ${top.handle ?? ""}` : null;
  const hasEgress = ofDevice.some(({ kind }) => kind === "clsact");
  const isOurs = root === lineRoot || ours.includes(name);
  const listed = isOurs ? await run(["tc", "class", "show", "dev", name]) : "";
  const filters = hasEgress ? await run(["tc", "filter", "show", "dev", name, "egress"]) : "";
  const ofRoot = isOurs ? await run(["tc", "filter", "show", "dev", name]) : "";
  const ids = listed.split("\n").flatMap((line) => {
    const [, id, place] = classOf.exec(line) ?? [];
    return id ? [{ id, isTop: place === "root" }] : [];
  });
  const queues = isOurs ? ofDevice.map(({ kind, parent }) => `${kind} ${parent ?? "root"}`) : [];
  const redirects = ours.some((device) => filters.includes(`to device ${device}`));
  return {
    name,
    root,
    hasEgress,
    redirects,
    isTree: ours.includes(name),
    classes: ids.sort((a, b) => Number(a.isTop) - Number(b.isTop)).map(({ id }) => id),
    text: [
      root ?? "none",
      ...queues.sort(),
      sortedLines(listed),
      ...(redirects ? [withoutNumbers(filters)] : []),
      withoutNumbers(ofRoot),
    ].join("\n"),
  };
};

export interface FoundQueues {
  readonly devices: readonly FoundDevice[];
  /** Trees that take packets. */
  readonly up: readonly string[];
  /** One text of all that concerns the wanted devices and what is ours. */
  readonly listing: string;
  readonly isThere: boolean;
}

/** @param wanted devices that should have queues or redirect */
export const readQueues = async (run: Run, wanted: readonly string[]): Promise<FoundQueues> => {
  const qdiscs = JSON.parse(await run(["tc", "-j", "qdisc", "show"])) as Qdisc[];
  const links = JSON.parse(await run(["ip", "-j", "link", "show"])) as {
    readonly ifname: string;
    readonly flags: readonly string[];
  }[];
  const isOurs = ({ dev, kind, root, handle }: Qdisc): boolean =>
    ours.includes(dev) || kind === "clsact" || (root === true && `${kind} ${handle}` === lineRoot);
  const names = new Set([...wanted, ...qdiscs.filter(isOurs).map(({ dev }) => dev)]);
  const there = links.filter(({ ifname }) => names.has(ifname)).map(({ ifname }) => ifname);
  const devices: FoundDevice[] = [];
  for (const name of there.sort()) devices.push(await readDevice(run, name, qdiscs));
  const up = links
    .filter(({ ifname, flags }) => ours.includes(ifname) && flags.includes("UP"))
    .map(({ ifname }) => ifname)
    .sort();
  const shown = devices.filter(
    ({ name, root, redirects, isTree }) =>
      wanted.includes(name) || redirects || root === lineRoot || isTree,
  );
  return {
    devices,
    up,
    listing: [...shown.map(({ name, text }) => `${name}\n${text}`), up.join()].join("\n\n"),
    isThere: devices.some(
      ({ root, redirects, isTree }) => redirects || root === lineRoot || isTree,
    ),
  };
};
