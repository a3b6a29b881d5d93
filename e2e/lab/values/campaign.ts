/**
 * The campaign of values: for every field of a site's resources the nastiest values, through the API of a controller to an
 * edge in a lab. Each is refused with its reason; or acts, and nothing of it is left after its removal; or is reported on its
 * object. An ACL rule that is saved afterwards always acts.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import { nodeFindings } from "@weft/contract/domains/policies/policy-finding.ts";
import type { Envelope } from "@weft/contract/kernel/endpoint.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { ping } from "@weft/lab/ping.ts";
import type { SitePair } from "@weft/lab/site-pair.ts";
import type { World } from "@weft/lab/world.ts";
import { nastyValues } from "./nasty-values.ts";
import { type Findings, noFindings, reasonFor } from "./reported.ts";
import type { FieldOfSubject, Subject, Wire } from "./subjects.ts";

export type Outcome = "refused" | "acted" | "reported" | "failed";

export interface Verdict {
  readonly subject: string;
  readonly field: string;
  readonly value: string;
  readonly outcome: Outcome;
  /** The rule of a refusal, the reason of a finding, or what went wrong. */
  readonly why: string;
}

interface Part {
  readonly field: FieldOfSubject;
  readonly value: string;
}

/** A draft with nasty values in one field or in several. */
interface Candidate {
  readonly parts: readonly Part[];
  readonly wire: Wire;
}

interface AddedRow extends Candidate {
  readonly id: number | null;
}

export interface CampaignWorld {
  readonly world: World;
  readonly pair: SitePair;
  /** Calls as `admin` with whatever is given, as a browser sends it. */
  post(path: string, wire: Wire): Promise<Envelope>;
}

/** What an edge sets up on a machine, by the commands that list it. */
const listings = {
  links: ["ip", "-o", "link"],
  addresses: ["ip", "-o", "addr"],
  routes: ["ip", "route", "show", "table", "all"],
  routes6: ["ip", "-6", "route", "show", "table", "all"],
  rules: ["ip", "rule"],
  rules6: ["ip", "-6", "rule"],
  tables: ["nft", "list", "ruleset"],
} as const;

const hostB = "10.1.2.100";
/** Rows of one wave: a device's limits are other campaigns' matter. */
const waveSize = 60;
/** Only ends what hangs. */
const deadlineMs = 120_000;

const shown = (value: string): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 40)}... (${value.length})` : text;
};

/** Why the controller refused; null: it took it. */
const refusalOf = ({ code, msg, issues = [] }: Envelope): string | null => {
  if (code === 0 || code === 200) return null;
  const rules = issues.map(({ path, rule }) => `${path} ${rule}`);
  return rules.length > 0 ? rules.join(", ") : `${code} ${msg}`;
};

/** A failure inside of the controller: no refusal gives a reason so. */
const isInternal = ({ code }: Envelope): boolean => code >= 500;

export class Campaign {
  readonly #place: CampaignWorld;
  #verdicts: Verdict[] = [];
  #number = 0;
  #isOver = () => false;
  #stock: readonly string[] = [];

  constructor(place: CampaignWorld) {
    this.#place = place;
  }

  /** What the device's kernel holds, without counters and what comes and goes by itself. */
  async stockOf(): Promise<readonly string[]> {
    const { lab } = this.#place.world;
    const lines: string[] = [];
    for (const [kind, command] of Object.entries(listings)) {
      const text = await mustExec(lab, "cpe1", command);
      const kept = text
        .split("\n")
        .map((line) =>
          line
            .replace(/^\d+: | nodad| tentative| qdisc \S+/g, "")
            .replace(/counter packets \d+ bytes \d+/g, "counter")
            .replace(/packets \d+ bytes \d+/g, "")
            .replace(/valid_lft.*|expires \S+|timeout \S+|nhid \d+|@if\d+|handle \d+/g, "")
            .replace(/elements = .*/, "")
            .trim(),
        )
        .filter((line) => line !== "" && !/^[\d.:a-f, /}{-]+$/.test(line));
      lines.push(...kept.map((line) => `${kind} ${line}`));
    }
    return lines.sort();
  }

  /** Waits until the device's newest state has ended; says how. */
  async #settled(): Promise<{ problem: string | null }> {
    const { world, pair } = this.#place;
    const end = performance.now() + deadlineMs;
    for (;;) {
      const { data } = await world.call(nodeState, { id: pair.cpe1 });
      if (data.uncompiled !== null)
        return { problem: `cannot be compiled: ${data.uncompiled.code} ${data.uncompiled.detail}` };
      const { desired, runningSerial, compiling } = data;
      if (!compiling && desired) {
        // One that is held may have been compiled before the change that accounts for it: it is weighed again.
        if (["failed", "refused", "reverted"].includes(desired.outcome))
          return { problem: `state ${desired.outcome}: ${desired.reason ?? ""}` };
        if (desired.outcome === "confirmed" && runningSerial === desired.serial)
          return { problem: null };
      }
      if (performance.now() > end) {
        const where = `${desired?.serial} ${desired?.outcome}, runs ${runningSerial}`;
        return { problem: `not confirmed: ${where}` };
      }
      await sleep(100);
    }
  }

  /** What the device and the controller report about the node's objects. */
  async #findings(): Promise<Findings> {
    const { world, pair } = this.#place;
    const owner = { cpeId: pair.cpe1, popId: null, page: 1, limit: 1_000 };
    const { data } = await world.call(nodeState, { id: pair.cpe1 });
    const { data: policies } = await world.call(nodeFindings, owner);
    return { device: data.findings, policies };
  }

  async #answers(): Promise<number> {
    const { lab } = this.#place.world;
    const result = await ping(lab, "hosta", hostB, { count: 3, intervalMs: 50 }).catch(() => null);
    return result?.received ?? 0;
  }

  async #answersWithin(wanted: boolean): Promise<boolean> {
    const end = performance.now() + 60_000;
    for (;;) {
      const received = await this.#answers();
      if (wanted ? received === 3 : received === 0) return true;
      if (performance.now() > end) return false;
    }
  }

  #note(subject: Subject, { parts }: Candidate, outcome: Outcome, why: string): void {
    for (const { field, value } of parts) {
      this.#verdicts.push({ subject: subject.name, field: field.name, value, outcome, why });
      if (outcome === "failed")
        console.log(`FAILED ${subject.name}.${field.name} = ${shown(value)}: ${why}`);
    }
  }

  /** Begins with the device as it is now: every wave has to leave it so. */
  async begin(): Promise<void> {
    const { problem } = await this.#settled();
    if (problem) throw new Error(`the lab does not settle: ${problem}`);
    if (!(await this.#answersWithin(true))) throw new Error("host A does not reach host B");
    // IPv6 addresses come last: the kernel looks for others that have them, first.
    const end = performance.now() + deadlineMs;
    for (let same = 0; same < 5; ) {
      if (performance.now() > end) throw new Error("the lab does not come to rest");
      await sleep(1_000);
      const now = await this.stockOf();
      same = now.join() === this.#stock.join() ? same + 1 : 0;
      this.#stock = now;
    }
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }

  async #remove(subject: Subject, rows: readonly AddedRow[]): Promise<string | null> {
    const { post } = this.#place;
    if (subject.removePath === null) return refusalOf(await post(subject.path, subject.draft(0)));
    const ids = rows.map(({ id }) => id).join(",");
    return refusalOf(await post(subject.removePath, { ids, ...subject.inside }));
  }

  /** Each value alone: which are taken. What is taken is taken back at once. */
  async #taken(subject: Subject): Promise<Candidate[]> {
    const taken: Candidate[] = [];
    for (const field of subject.fields) {
      for (const value of new Set(nastyValues[field.kind])) {
        const candidate = this.#alone(subject, { field, value });
        const { wire } = candidate;
        const envelope = await this.#place.post(subject.path, wire);
        const refusal = refusalOf(envelope);
        const isWrong = !checkWire(subject.schema, wire).ok;
        if (isInternal(envelope)) this.#note(subject, candidate, "failed", refusal ?? "");
        else if (refusal !== null) this.#note(subject, candidate, "refused", refusal);
        else {
          const { id = null } = (envelope.data ?? {}) as { id?: number | null };
          if (isWrong) this.#note(subject, candidate, "failed", "the contract refuses it");
          const left = await this.#remove(subject, [{ ...candidate, id }]);
          if (left) this.#note(subject, candidate, "failed", `its removal is refused: ${left}`);
          taken.push(candidate);
        }
      }
    }
    return taken;
  }

  #alone(subject: Subject, part: Part): Candidate {
    const wire = { ...subject.draft(this.#next()), [part.field.name]: part.value };
    return { parts: [part], wire };
  }

  /**
   * As many values together as the contract takes, one of each field; of those that could hide another one (a card that is not
   * there makes an address good) one a row.
   */
  #packed(subject: Subject, taken: readonly Candidate[]): Candidate[] {
    const rows: Candidate[] = [];
    let left = taken;
    while (left.length > 0) {
      const [first, ...rest] = left as [Candidate, ...Candidate[]];
      let row = first;
      const waiting: Candidate[] = [];
      for (const candidate of rest) {
        const more = this.#joined(subject, row, candidate);
        if (more) row = more;
        else waiting.push(candidate);
      }
      rows.push(row);
      left = waiting;
    }
    return rows;
  }

  /** Null: the two cannot be one row. */
  #joined(subject: Subject, row: Candidate, { parts }: Candidate): Candidate | null {
    const all = [...row.parts, ...parts];
    const isTwice = new Set(all.map(({ field }) => field.name)).size < all.length;
    const hiding = all.filter(({ field }) => !["name", "text", "number"].includes(field.kind));
    if (isTwice || (hiding.length > 1 && subject.removePath !== null)) return null;
    const values = Object.fromEntries(parts.map(({ field, value }) => [field.name, value]));
    const wire = { ...row.wire, ...values };
    return checkWire(subject.schema, wire).ok ? { parts: all, wire } : null;
  }

  /** As many of the rows as can be there together; the others wait. Settings: one at a time. */
  async #add(subject: Subject, rows: readonly Candidate[]) {
    const added: AddedRow[] = [];
    const waiting: Candidate[] = [];
    for (const row of rows) {
      const isFull = added.length >= (subject.removePath === null ? 1 : waveSize);
      if (isFull) {
        waiting.push(row);
        continue;
      }
      const envelope = await this.#place.post(subject.path, row.wire);
      const refusal = refusalOf(envelope);
      if (refusal === null)
        added.push({ ...row, id: (envelope.data as { id?: number } | null)?.id ?? null });
      else if (added.length > 0) waiting.push(row);
      else if (row.parts.length > 1)
        waiting.push(...row.parts.map((part) => this.#alone(subject, part)));
      else this.#note(subject, row, "failed", `taken once, refused now: ${refusal}`);
    }
    return { added, waiting };
  }

  async #deny(): Promise<number | string> {
    const envelope = await this.#place.post(aclRule.ops.add.path, {
      nCpeID: this.#place.pair.cpe1,
      nEnable: 1,
      nSection: 0,
      sort: 0,
      name: "deny-b",
      action: 0,
      protocol: "any",
      srcIp: "",
      dstIp: `${hostB}/32`,
      srcPort: "",
      dstPort: "",
      remark: "",
    });
    return refusalOf(envelope) ?? (envelope.data as { id: number }).id;
  }

  /** What is wrong with the device while the rows are there; null: nothing. */
  async #act(subject: Subject): Promise<string | null> {
    const { problem } = await this.#settled();
    if (problem) return problem;
    const isOpen = await (subject.denies
      ? this.#answers().then((n) => n === 3)
      : this.#answersWithin(true));
    if (!isOpen && !subject.denies) {
      const { more, less } = this.#differences(await this.stockOf());
      const ways = [...more, ...less].filter((line) => /^.(routes|rules)6? /.test(line));
      return `host A no longer reaches host B: ${ways.slice(0, 12).join(" | ")}`;
    }
    const id = await this.#deny();
    if (typeof id === "string") return `an ACL rule is refused afterwards: ${id}`;
    const denied = await this.#settled();
    const isClosed = denied.problem === null && (await this.#answersWithin(false));
    const { remove } = aclRule.ops;
    const left = refusalOf(await this.#place.post(remove.path, { ids: String(id) }));
    if (denied.problem) return `after an ACL rule: ${denied.problem}`;
    if (!isClosed) return "an ACL rule saved afterwards does not act";
    return left && `the ACL rule cannot be removed: ${left}`;
  }

  /** What the device has now and had not when the campaign began, and what it lost. */
  #differences(now: readonly string[]): { more: string[]; less: string[] } {
    const [had, has] = [new Set(this.#stock), new Set(now)];
    return {
      more: now.filter((line) => !had.has(line)).map((line) => `+${line}`),
      less: this.#stock.filter((line) => !has.has(line)).map((line) => `-${line}`),
    };
  }

  /** What of the rows is left on the device; null: nothing. */
  async #leftOver(): Promise<string | null> {
    const { problem } = await this.#settled();
    if (problem) return `after the removal: ${problem}`;
    const end = performance.now() + 60_000;
    for (;;) {
      const now = await this.stockOf();
      const { more, less } = this.#differences(now);
      if (more.length + less.length === 0) return null;
      if (performance.now() > end) {
        this.#stock = now;
        return `left over: ${[...more, ...less].slice(0, 6).join(" | ")}`;
      }
      await sleep(300);
    }
  }

  /** Rows together on the device; when something is wrong, halves of them, until single rows are to blame. */
  async #wave(subject: Subject, rows: readonly Candidate[]): Promise<void> {
    if (this.#isOver()) return;
    const { added, waiting } = await this.#add(subject, rows);
    console.log(`${subject.name}: ${added.length} rows together, ${waiting.length} wait`);
    if (added.length > 0) {
      const wrong = await this.#act(subject);
      const findings = wrong === null ? await this.#findings() : noFindings;
      const removal = await this.#remove(subject, added);
      const left = removal ?? (await this.#leftOver());
      const problem = wrong ?? left;
      if (problem === null) for (const row of added) this.#noteActed(subject, row, findings);
      else if (added.length === 1) await this.#blame(subject, added[0] as Candidate, problem);
      else {
        console.log(`${subject.name}: ${added.length} rows: ${problem}; looking for the one`);
        const half = Math.ceil(added.length / 2);
        const before = this.#verdicts.filter(({ outcome }) => outcome === "failed").length;
        await this.#wave(subject, added.slice(0, half));
        await this.#wave(subject, added.slice(half));
        const after = this.#verdicts.filter(({ outcome }) => outcome === "failed").length;
        if (after === before)
          this.#note(subject, added[0] as Candidate, "failed", `only together: ${problem}`);
      }
    }
    if (waiting.length > 0) await this.#wave(subject, waiting);
  }

  /** A row to blame: which of its values. */
  async #blame(subject: Subject, row: Candidate, problem: string): Promise<void> {
    if (row.parts.length === 1) this.#note(subject, row, "failed", problem);
    else for (const part of row.parts) await this.#wave(subject, [this.#alone(subject, part)]);
  }

  #noteActed(subject: Subject, row: AddedRow, findings: Findings): void {
    const reason = reasonFor(subject, row, findings);
    this.#note(subject, row, reason === null ? "acted" : "reported", reason ?? "");
  }

  /** @returns what became of each value; of some alone when its time was over. */
  async run(subject: Subject, isOver: () => boolean): Promise<readonly Verdict[]> {
    this.#isOver = isOver;
    this.#verdicts = [];
    const before = performance.now();
    const taken = await this.#taken(subject);
    const settled = performance.now();
    console.log(`${subject.name}: ${taken.length} values taken`);
    await this.#wave(subject, this.#packed(subject, taken));
    const [api, all] = [settled - before, performance.now() - before].map((ms) =>
      Math.round(ms / 1000),
    );
    console.log(
      `${subject.name}: ${subject.fields.length} fields, ${taken.length} taken, ${all} s, ${api} s of them calls`,
    );
    return this.#verdicts;
  }
}
