/** Persistent state of a device: its identity, the trusted controller, the confirmed state, and unfinished work. */
import { namesParts, partsOf, wholeSections } from "@weft/contract/device/v1/space.ts";
import { type StateHead, stateHead, stateId } from "@weft/contract/device/v1/state.ts";
import { z } from "zod";
import type { Random } from "#edge/clock.ts";
import type { Disk } from "./disk.ts";
import { type Identity, identityOf, newSeed, newTunnelKey, type TunnelKeyPair } from "./keys.ts";
import {
  type Reading,
  type RecordKind,
  readRecord,
  removeFiles,
  sha256,
  sweep,
  writeFiles,
  writeRecord,
} from "./record.ts";
import { openSpool, type Spool } from "./spool.ts";

const key = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const tunnelKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

const identity = z.strictObject({ seed: key });
const tunnels = z.strictObject({
  keys: z
    .array(z.strictObject({ id: z.string(), privateKey: tunnelKey, publicKey: tunnelKey }))
    .min(1),
});
/** An activation code that was not yet approved. */
const claim = z.strictObject({ claim: z.string(), serialNumber: z.string() });
const enrolment = z.strictObject({
  node: z.int().positive(),
  serialNumber: z.string(),
  addresses: z.array(z.string()).min(1),
  /** Pinned: no other controller is trusted. */
  controllerKey: key,
});
/**
 * The key that the controller will change to. A record of its own: programs of earlier versions read the
 * enrolment, and know no second key. It counts for an enrolment with that present key only.
 */
const nextPin = z.strictObject({ present: key, next: key });
const confirmed = z.strictObject({ head: stateHead });
const journal = z.strictObject({
  target: stateHead,
  /** The rollback plan: the last confirmed state; null: there was none. */
  previous: stateHead.nullable(),
  phase: z.enum(["applying", "applied", "reverting"]),
  /** The planned steps, for the analysis of a crash. */
  steps: z.array(z.string()),
});
/** The latest epoch of the controller, stored so that a restart does not lose it. */
const epoch = z.strictObject({ epoch: z.int().positive() });
const outcome = stateId.extend({
  outcome: z.enum(["failed", "reverted"]),
  reason: z.string(),
  unreachable: z.boolean(),
  /** The edge itself was stopped in between; absent in files of earlier versions. */
  stopped: z.boolean().default(false),
});

export type Enrolment = z.output<typeof enrolment>;
export type PendingClaim = z.output<typeof claim>;
export type Confirmed = z.output<typeof confirmed>;
export type Journal = z.output<typeof journal>;
export type PendingOutcome = z.output<typeof outcome>;

const kinds = {
  identity: { name: "identity.json", schema: identity },
  tunnels: { name: "tunnel-keys.json", schema: tunnels },
  claim: { name: "claim.json", schema: claim },
  enrolment: { name: "enrolment.json", schema: enrolment },
  nextPin: { name: "next-pin.json", schema: nextPin },
  confirmed: { name: "confirmed.json", schema: confirmed },
  journal: { name: "journal.json", schema: journal },
  outcome: { name: "outcome.json", schema: outcome },
  epoch: { name: "epoch.json", schema: epoch },
} as const;

/** One record with its three operations. */
export interface Kept<Value> {
  read(): Promise<Reading<Value>>;
  write(value: Value): Promise<void>;
  clear(): Promise<void>;
}

const keep = <Value>(disk: Disk, kind: RecordKind<Value>): Kept<Value> => ({
  read: () => readRecord(disk, kind),
  write: (value) => writeRecord(disk, kind, value),
  clear: () => removeFiles(disk, [kind.name]),
});

const sectionPrefix = "section.";

/** Contents of sections by hash; content that does not match its name counts as missing. */
export interface SectionCache {
  has(hash: string): boolean;
  /** With the text that it is stored in; undefined if missing or damaged, and a damaged one is deleted. */
  read(hash: string): Promise<{ readonly content: unknown; readonly text: string } | undefined>;
  /** Texts by hash; durable when it resolves. The caller has checked the hashes. */
  save(contents: ReadonlyMap<string, { readonly text: string }>): Promise<void>;
  /** Removes all others. */
  keepOnly(hashes: ReadonlySet<string>): Promise<void>;
}

const openSections = async (disk: Disk): Promise<SectionCache> => {
  const names = await disk.list();
  const known = new Set(
    names
      .filter((name) => name.startsWith(sectionPrefix))
      .map((name) => name.slice(sectionPrefix.length)),
  );
  return {
    has: (hash) => known.has(hash),
    read: async (hash) => {
      const bytes = await disk.read(`${sectionPrefix}${hash}`);
      if (bytes !== null && sha256(bytes) === hash) {
        const text = Buffer.from(bytes).toString();
        return { content: JSON.parse(text), text };
      }
      known.delete(hash);
      await disk.remove(`${sectionPrefix}${hash}`);
      return undefined;
    },
    save: async (contents) => {
      const files = [...contents].map(
        ([hash, { text }]) => [`${sectionPrefix}${hash}`, text] as const,
      );
      await writeFiles(disk, files);
      for (const hash of contents.keys()) known.add(hash);
    },
    keepOnly: async (hashes) => {
      const gone = [...known].filter((hash) => !hashes.has(hash));
      for (const hash of gone) known.delete(hash);
      await removeFiles(
        disk,
        gone.map((hash) => `${sectionPrefix}${hash}`),
      );
    },
  };
};

export interface EdgeStore {
  readonly claim: Kept<PendingClaim>;
  readonly enrolment: Kept<Enrolment>;
  readonly nextPin: Kept<z.output<typeof nextPin>>;
  readonly confirmed: Kept<Confirmed>;
  readonly journal: Kept<Journal>;
  /** An outcome that the controller has not acknowledged yet. */
  readonly outcome: Kept<PendingOutcome>;
  readonly epoch: Kept<z.output<typeof epoch>>;
  readonly sections: SectionCache;
  /** Messages of metrics that the controller has not acknowledged yet. */
  readonly spool: Spool;
  /** Null: missing or damaged; then the device must be enrolled again. */
  identity(): Promise<Identity | null>;
  /** The existing identity, or a new one; for enrolment only. */
  makeIdentity(random: Random): Promise<Identity>;
  /** A new identity and tunnel key: another device has the old ones. */
  renewIdentity(random: Random): Promise<Identity>;
  /**
   * The first is the one in use. A damaged file is replaced: the next report contains the new public
   * key, and the controller compiles it into the peers.
   */
  tunnelKeys(random: Random): Promise<readonly TunnelKeyPair[]>;
}

/** For the one program that runs on a folder, before it opens the store: `enrol` writes claims too. */
export const sweepStore = (disk: Disk): Promise<void> => sweep(disk, [kinds.claim.name]);

export const openStore = async (disk: Disk): Promise<EdgeStore> => {
  const readIdentity = async (): Promise<Identity | null> => {
    const record = await readRecord(disk, kinds.identity);
    return record.kind === "value" ? identityOf(record.value.seed) : null;
  };
  const newIdentity = async (random: Random): Promise<Identity> => {
    const seed = newSeed(random);
    await writeRecord(disk, kinds.identity, { seed });
    return identityOf(seed);
  };
  return {
    claim: keep(disk, kinds.claim),
    enrolment: keep(disk, kinds.enrolment),
    nextPin: keep(disk, kinds.nextPin),
    confirmed: keep(disk, kinds.confirmed),
    journal: keep(disk, kinds.journal),
    outcome: keep(disk, kinds.outcome),
    epoch: keep(disk, kinds.epoch),
    sections: await openSections(disk),
    spool: await openSpool(disk),
    identity: readIdentity,
    makeIdentity: async (random) => (await readIdentity()) ?? newIdentity(random),
    renewIdentity: async (random) => {
      await writeRecord(disk, kinds.tunnels, { keys: [newTunnelKey(random, "k1")] });
      return newIdentity(random);
    },
    tunnelKeys: async (random) => {
      const record = await readRecord(disk, kinds.tunnels);
      if (record.kind === "value") return record.value.keys;
      const keys = [newTunnelKey(random, "k1")];
      await writeRecord(disk, kinds.tunnels, { keys });
      return keys;
    },
  };
};

/** Hashes of all that a state consists of: what its head names, and parts that these name. */
export const hashesOf = async (cache: SectionCache, head: StateHead): Promise<Set<string>> => {
  const hashes = new Set(Object.values(head.sections));
  for (const [name, hash] of Object.entries(head.sections)) {
    if (!namesParts(name)) continue;
    for (const part of partsOf(name, (await cache.read(hash))?.content)) hashes.add(part);
  }
  return hashes;
};

/** Contents of a head's sections by name, networks in one piece; throws when the cache lacks something. */
export const readSections = async (
  cache: SectionCache,
  head: StateHead,
): Promise<Map<string, unknown>> => {
  const sections = new Map<string, unknown>();
  const parts = new Map<string, unknown>();
  const read = async (name: string, hash: string): Promise<unknown> => {
    const cached = await cache.read(hash);
    if (!cached) throw new Error(`section ${name} is missing or damaged on the disk`);
    return cached.content;
  };
  for (const [name, hash] of Object.entries(head.sections)) {
    const content = await read(name, hash);
    sections.set(name, content);
    for (const part of partsOf(name, content)) parts.set(part, await read(name, part));
  }
  return wholeSections(sections, (hash) => parts.get(hash));
};
