import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Device, ownProtocol } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import { ipJson } from "#drivers/ip-json.ts";
import { ensureNetns, listNetns } from "#drivers/netns.ts";
import { type ClassesPart, type ClassesStep, type FoundClasses, planClasses } from "./plan.ts";
import { type ClassRule, classPlacesOf, isClassRule, markingTable } from "./render.ts";
import { ClassRouter } from "./router.ts";

export interface Classes extends Driver<ClassesPart, readonly FoundClasses[], ClassesStep> {
  readonly router: ClassRouter;
}

interface RuleRow {
  readonly priority: number;
  readonly fwmark?: string;
  readonly fwmask?: string;
  readonly table?: string;
  readonly protocol?: string;
}

/** What was asked for in a namespace, and what nft(8) made of it: the two are not written alike. */
interface Noted {
  readonly netns: string | null;
  readonly loaded: string;
  readonly listed: string;
}

const families = [4, 6] as const;

const notesFile = ({ runDir }: Device): string => join(runDir, "classes.json");

/** Places that may have something of this driver, since the device started. */
const readNotes = async (device: Device): Promise<Noted[]> => {
  try {
    return JSON.parse(await readFile(notesFile(device), "utf8")) as Noted[];
  } catch {
    return [];
  }
};

const writeNotes = async (device: Device, notes: readonly Noted[]): Promise<void> =>
  notes.length === 0
    ? rm(notesFile(device), { force: true })
    : writeFile(notesFile(device), JSON.stringify(notes));

const note = async (device: Device, noted: Noted): Promise<void> => {
  const others = (await readNotes(device)).filter(({ netns }) => netns !== noted.netns);
  await writeNotes(device, [...others, noted]);
};

const list = (device: Device, netns: string | null): Promise<string | null> =>
  device.run(["nft", "-n", "list", "table", "inet", markingTable], { netns }).catch(() => null);

const rulesIn = async (device: Device, netns: string | null): Promise<ClassRule[]> => {
  const byFamily = await Promise.all(
    families.map(async (family) => {
      const rows = await ipJson<RuleRow>(device.run, ["-N", `-${family}`, "rule"], netns);
      return rows
        .filter((row) => row.protocol === ownProtocol && isClassRule(row.priority))
        .map(({ priority, fwmark, fwmask, table }) => ({
          family,
          priority,
          text: `fwmark ${fwmark}/${fwmask} lookup ${table}`,
        }));
    }),
  );
  return byFamily.flat();
};

const readPlace = async (
  device: Device,
  netns: string | null,
  noted: Noted | undefined,
): Promise<FoundClasses> => {
  const [listed, rules] = await Promise.all([list(device, netns), rulesIn(device, netns)]);
  const marking = listed === null ? null : listed === noted?.listed ? noted.loaded : "";
  return { netns, rules, marking };
};

/** Most devices have none: their checks start no program for it. */
const observe = async (device: Device, part: ClassesPart): Promise<FoundClasses[]> => {
  const notes = await readNotes(device);
  const places = new Set([...part, ...notes].map(({ netns }) => netns));
  const there = new Set<string | null>([null, ...(places.size > 0 ? listNetns() : [])]);
  const observed = await Promise.all(
    [...places]
      .filter((netns) => there.has(netns))
      .map((netns) =>
        readPlace(
          device,
          netns,
          notes.find((note) => note.netns === netns),
        ),
      ),
  );
  return observed.filter(({ rules, marking }) => rules.length > 0 || marking !== null);
};

const ruleArgv = (verb: "add" | "del", { family, priority, text }: ClassRule) =>
  [
    ...(["ip", `-${family}`, "rule", verb, "priority", `${priority}`] as const),
    ...text.split(" "),
    "protocol",
    ownProtocol,
  ] as const;

const remove = `add table inet ${markingTable}\ndelete table inet ${markingTable}\n`;

const runStep = async (device: Device, router: ClassRouter, step: ClassesStep): Promise<void> => {
  const { netns } = step;
  const isGone = netns !== null && !listNetns().includes(netns);
  switch (step.kind) {
    case "mark": {
      if (netns !== null) await ensureNetns(device.run, netns);
      await note(device, { netns, loaded: "", listed: "" });
      await device.run(["nft", "-f", "-"], { netns, input: `${remove}${step.text}` });
      await note(device, { netns, loaded: step.text, listed: (await list(device, netns)) ?? "" });
      return;
    }
    case "unmark":
      if (!isGone) {
        await device.run(["nft", "-f", "-"], { netns, input: remove });
        await router.clear(netns);
      }
      await writeNotes(
        device,
        (await readNotes(device)).filter((note) => note.netns !== netns),
      );
      return;
    case "add-rule":
      if (netns !== null) await ensureNetns(device.run, netns);
      // A rule may exist twice, so one that is there is removed first.
      await succeeds(device.run, ruleArgv("del", step.rule), { netns });
      await device.run(ruleArgv("add", step.rule), { netns });
      return;
    case "del-rule":
      await succeeds(device.run, ruleArgv("del", step.rule), { netns });
  }
};

/** Marks traffic by class and leads it to the tables of classes (docs/adr/0032-traffic-classes.md). */
export const createClasses = (device: Device): Classes => {
  const router = new ClassRouter(device);
  return {
    name: "classes",
    router,
    pick: classPlacesOf,
    validate: async () => {},
    observe: (part) => observe(device, part),
    plan: planClasses,
    run: (step) => runStep(device, router, step),
  };
};
