/**
 * How often the rules of each object fitted: one named counter an object, in the main namespace. A load of the
 * rules keeps the counters with their values; a reboot empties the kernel's together with the folder that
 * what was read before is kept in.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { countedObject } from "@weft/contract/device/v1/hit-counter.ts";
import type { Device } from "#drivers/device.ts";
import type { ObjectHits } from "#drivers/driver.ts";
import type { Run } from "#drivers/exec.ts";
import { rulesMs } from "./observe.ts";
import { table } from "./render.ts";

interface Listed {
  readonly counter?: { readonly name: string; readonly packets: number };
}

/** Packets by the name of the counter, those of objects only. */
const readCounters = async (run: Run): Promise<Map<string, number>> => {
  try {
    const list = ["nft", "-j", "list", "counters", "table", "inet", table] as const;
    const text = await run(list, { timeoutMs: rulesMs });
    const { nftables } = JSON.parse(text) as { nftables: Listed[] };
    return new Map(
      nftables.flatMap(({ counter }) =>
        counter && countedObject(counter.name) !== null
          ? [[counter.name, counter.packets] as const]
          : [],
      ),
    );
  } catch (error) {
    if (error instanceof Error && error.message.includes("No such file or directory"))
      return new Map();
    throw error;
  }
};

/** Reads by how much the counters have grown. What is read is taken: the next reading begins there. */
export class HitMeter {
  readonly #device: Pick<Device, "run" | "runDir">;
  #before: ReadonlyMap<string, number> | null = null;

  constructor(device: Pick<Device, "run" | "runDir">) {
    this.#device = device;
  }

  /** @param max objects in one answer; those with the most hits first, the others come with the next */
  async take(max: number): Promise<ObjectHits[]> {
    const before = this.#before ?? (await this.#readBefore());
    const now = await readCounters(this.#device.run);
    const grown = [...now]
      .map(([name, packets]) => {
        const known = before.get(name) ?? 0;
        // Fewer than before: the counter was made again, and began at 0.
        return { name, packets, count: packets < known ? packets : packets - known };
      })
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, max);
    const taken = new Set(grown.map(({ name }) => name));
    const after = [...now].map(([name, packets]) => {
      const known = before.get(name) ?? 0;
      return [name, taken.has(name) || packets < known ? packets : known] as const;
    });
    await this.#keep(new Map(after));
    return grown.flatMap(({ name, count }) => {
      const object = countedObject(name);
      return object ? [{ ...object, count }] : [];
    });
  }

  get #file(): string {
    return join(this.#device.runDir, "hits.json");
  }

  async #readBefore(): Promise<ReadonlyMap<string, number>> {
    try {
      return new Map(JSON.parse(await readFile(this.#file, "utf8")) as [string, number][]);
    } catch {
      return new Map();
    }
  }

  /** Whole or not at all: from a torn file all would count once more. */
  async #keep(after: ReadonlyMap<string, number>): Promise<void> {
    const text = JSON.stringify([...after]);
    if (this.#before && text === JSON.stringify([...this.#before])) return;
    await writeFile(`${this.#file}.new`, text);
    await rename(`${this.#file}.new`, this.#file);
    this.#before = after;
  }
}
