/**
 * The campaign of values: for every field of a site's resources the nastiest values, through the API of a controller to an
 * edge in a lab. Each is refused with its reason; or acts, and nothing of it is left after its removal; or is reported on its
 * object. An ACL rule that is saved afterwards always acts.
 *
 * Every value is first tried alone, by a call. Those that the API takes come to the device in waves: rows of many resources
 * together, with one ACL rule after them. When a wave goes wrong, halves of it are tried until single values are to blame;
 * each of those was then tried alone.
 */
import {
  type AddedId,
  allow,
  atOnce,
  callsAtOnce,
  deny,
  type Part,
  type Post,
  partsOf,
  remove,
  type Tried,
  tryCalls,
  write,
} from "./calls.ts";
import type { Device, Problem } from "./device.ts";
import { type Findings, noFindings, reasonFor, sharesFindings } from "./reported.ts";
import type { Outcome, Verdict } from "./results.ts";
import { denies, packed, type Row, rowOf } from "./rows.ts";
import type { Subject } from "./subjects.ts";

interface AddedRow {
  readonly row: Row;
  readonly id: AddedId;
}

interface Wave {
  readonly problem: Problem | null;
  readonly added: readonly AddedRow[];
  /** Those that the API does not take beside the others. */
  readonly refused: readonly Refused[];
  readonly findings: Findings;
}

interface Refused {
  readonly row: Row;
  readonly why: string;
}

/** Rows of one resource in a wave: a device's limits are other campaigns' matter. */
const rowsOfWave = 60;
/** Waves that a resource's rows are spread over at least, as far as settings need so many anyway. */
const leastWaves = 20;

/** Rows of a resource in one wave; settings have one only. */
const shareOf = ({ removePath }: Subject, rows: number): number =>
  removePath === null ? 1 : Math.min(rowsOfWave, Math.ceil(rows / leastWaves));

/** A wave that goes wrong names its rows when they are few. */
const rowsToName = 10;

const shown = (value: string): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 40)}... (${value.length})` : text;
};

const shownRow = ({ subject, parts }: Row): string =>
  parts.map(({ field, value }) => `${subject.name}.${field.name} = ${shown(value)}`).join(", ");

const secondsSince = (start: number): number => Math.round((performance.now() - start) / 1000);

/** Called with verdicts as they come. */
type Record = (verdicts: readonly Verdict[]) => Promise<void>;

export class Campaign {
  readonly #post: Post;
  readonly #cpeId: number;
  readonly #record: Record;
  #number = 0;
  #isOver = () => false;

  constructor(post: Post, cpeId: number, record: Record) {
    this.#post = post;
    this.#cpeId = cpeId;
    this.#record = record;
  }

  readonly #next = (): number => {
    this.#number += 1;
    return this.#number;
  };

  async #note({ subject, parts }: Row, outcome: Outcome, why: string): Promise<void> {
    const verdicts = parts.map(
      ({ field, value }): Verdict => ({
        subject: subject.name,
        field: field.name,
        value,
        outcome,
        why,
      }),
    );
    if (outcome === "failed")
      for (const { field, value } of parts)
        console.log(`FAILED ${subject.name}.${field.name} = ${shown(value)}: ${why}`);
    await this.#record(verdicts);
  }

  /**
   * Each value alone through the API.
   * @param isTried whether there is a verdict on it
   * @returns what the API takes, to come to the device
   */
  async calls(
    subjects: readonly Subject[],
    isTried: (subject: string, part: Part) => boolean,
  ): Promise<ReadonlyMap<Subject, readonly Part[]>> {
    const start = performance.now();
    const taken = new Map<Subject, readonly Part[]>();
    await atOnce(callsAtOnce, subjects, async (subject) => {
      const before = performance.now();
      const parts = partsOf(subject).filter((part) => !isTried(subject.name, part));
      const tried = parts.length > 0 ? await this.#tried(subject, parts) : [];
      for (const { part, outcome, why } of tried)
        if (outcome !== "taken")
          await this.#note({ subject, parts: [part], wire: {} }, outcome, why);
      const own = tried.filter(({ outcome }) => outcome === "taken").map(({ part }) => part);
      taken.set(subject, own);
      const time = secondsSince(before);
      console.log(`${subject.name}: ${own.length} of ${parts.length} values taken, ${time} s`);
      if (subject.others.length > 0)
        console.log(`not of a kind: ${subject.name} ${subject.others.join(" ")}`);
    });
    console.log(`all calls: ${secondsSince(start)} s`);
    return taken;
  }

  async #tried(subject: Subject, parts: readonly Part[]): Promise<Tried[]> {
    try {
      return await tryCalls(this.#post, subject, parts, this.#next);
    } catch (error) {
      const why = (error as Error).message;
      return parts.map((part) => ({ part, outcome: "failed", why }));
    }
  }

  /** What was taken, on the device. */
  async waves(
    device: Device,
    taken: ReadonlyMap<Subject, readonly Part[]>,
    isOver: () => boolean,
  ): Promise<void> {
    this.#isOver = isOver;
    const all = [...taken].flatMap(([subject, parts]) => packed(subject, parts, this.#next));
    for (const isDenying of [false, true]) {
      const rows = all.filter((row) => denies(row) === isDenying);
      await this.#inWaves(device, rows);
    }
  }

  async #inWaves(device: Device, rows: readonly Row[]): Promise<void> {
    const queues = new Map(
      [...Map.groupBy(rows, ({ subject }) => subject)].map(([subject, own]) => [
        subject,
        { rows: own, share: shareOf(subject, own.length) },
      ]),
    );
    for (let count = 0; !this.#isOver(); count += 1) {
      const open = [...queues].filter(([, { rows: own }]) => own.length > 0);
      if (open.length === 0) return;
      // One that shares findings with another one comes in the next wave: a finding is to be about one of them only.
      const inWave: Subject[] = [];
      const turned = [...open.slice(count % open.length), ...open.slice(0, count % open.length)];
      for (const [subject] of turned)
        if (!inWave.some((other) => sharesFindings(subject, other))) inWave.push(subject);
      const wave = inWave.flatMap((subject) => {
        const queue = queues.get(subject);
        return queue ? queue.rows.splice(0, queue.share) : [];
      });
      const left = open.reduce((sum, [, { rows: own }]) => sum + own.length, 0);
      console.log(`wave ${count}: ${wave.length} rows of ${inWave.length}, ${left} wait`);
      const { refused } = await this.#searched(device, wave);
      for (const subject of inWave) {
        const own = refused.filter(({ row }) => row.subject === subject);
        const queue = queues.get(subject);
        if (!queue || own.length === 0) continue;
        // What does not fit beside others of its resource needs more waves.
        queue.share = Math.max(1, queue.share - own.length);
        queue.rows.unshift(
          ...(await this.#again(device, own, queue.share === 1 && wave.length > 1)),
        );
      }
    }
  }

  /** Rows that were refused beside others; the first alone when even a single row of its resource was. */
  async #again(device: Device, refused: readonly Refused[], isAlone: boolean): Promise<Row[]> {
    const split = refused.flatMap(({ row }) =>
      row.parts.length > 1
        ? row.parts.map((part) => rowOf(row.subject, part, this.#next()))
        : [row],
    );
    if (!isAlone) return split;
    const [first, ...rest] = split as [Row, ...Row[]];
    const alone = await this.#searched(device, [first]);
    for (const { row, why } of alone.refused)
      await this.#note(row, "failed", `taken once, refused now: ${why}`);
    return rest;
  }

  /** Adds the rows, as many as there can be together. */
  async #add(rows: readonly Row[]): Promise<Pick<Wave, "added" | "refused">> {
    const added: AddedRow[] = [];
    const refused: Refused[] = [];
    const groups = [...Map.groupBy(rows, ({ subject }) => subject).values()];
    await atOnce(callsAtOnce, groups, async (own) => {
      for (const row of own) {
        const answer = await write(this.#post, row.subject, row.wire);
        if (answer.outcome === "taken") added.push({ row, id: answer.id });
        else refused.push({ row, why: answer.why });
      }
    });
    return { added, refused };
  }

  async #remove(added: readonly AddedRow[]): Promise<Problem | null> {
    const groups = [...Map.groupBy(added, ({ row }) => row.subject)];
    const problems: string[] = [];
    await atOnce(callsAtOnce, groups, async ([subject, own]) => {
      const why = await remove(
        this.#post,
        subject,
        own.map(({ id }) => id),
      );
      if (why) problems.push(`the removal of ${subject.name} is refused: ${why}`);
    });
    const [text] = problems;
    return text === undefined ? null : { text, isSlow: false };
  }

  /** What is wrong with the device while the rows are there; null: nothing. */
  async #act(device: Device, isDenying: boolean): Promise<Problem | null> {
    const problem = await device.settled();
    if (problem) return problem;
    if (!isDenying && !(await device.answersWithin(true))) {
      const ways = (await device.differences()).filter((line) => /^.(routes|rules)6? /.test(line));
      const text = `host A no longer reaches host B: ${ways.slice(0, 12).join(" | ")}`;
      return { text, isSlow: false };
    }
    const id = await deny(this.#post, this.#cpeId);
    if (typeof id === "string")
      return { text: `an ACL rule is refused afterwards: ${id}`, isSlow: false };
    const denied = await this.#denied(device);
    const left = await allow(this.#post, id);
    if (denied) return denied;
    return left ? { text: `the ACL rule cannot be removed: ${left}`, isSlow: false } : null;
  }

  async #denied(device: Device): Promise<Problem | null> {
    const problem = await device.settled();
    if (problem) return { ...problem, text: `after an ACL rule: ${problem.text}` };
    const isDenied = (await device.deniesHostB()) && (await device.answersWithin(false));
    return isDenied ? null : { text: "an ACL rule saved afterwards does not act", isSlow: false };
  }

  /** Rows together on the device, and their removal. */
  async #wave(device: Device, rows: readonly Row[]): Promise<Wave> {
    const start = performance.now();
    const { added, refused } = await this.#add(rows);
    const calls = secondsSince(start);
    let problem: Problem | null = null;
    let findings = noFindings;
    if (added.length > 0) {
      const isDenying = added.some(({ row }) => denies(row));
      problem = await this.#act(device, isDenying);
      if (problem?.isSlow) {
        console.log(`once more: ${problem.text}`);
        problem = await this.#act(device, isDenying);
      }
      if (problem === null) findings = await device.findings();
      const left = (await this.#remove(added)) ?? (await device.leftOver());
      problem ??= left;
    }
    const how = problem ? `: ${problem.text}` : "";
    if (problem && added.length <= rowsToName)
      for (const { row } of added) console.log(`    ${shownRow(row)}`);
    const time = `${secondsSince(start)} s, ${calls} s of them calls`;
    console.log(`  ${added.length} rows, ${refused.length} refused, ${time}${how}`);
    return { problem, added, refused, findings };
  }

  /**
   * A wave, and when it goes wrong halves of it until values are to blame.
   * @param isWrong it is known to go wrong: the other half of a wave that did acts
   */
  async #searched(
    device: Device,
    rows: readonly Row[],
    isWrong = false,
  ): Promise<{ refused: readonly Refused[]; failed: number }> {
    if (rows.length === 0 || this.#isOver()) return { refused: [], failed: 0 };
    const isKnown = isWrong && rows.length > 1;
    const wave = isKnown ? null : await this.#wave(device, rows);
    if (wave?.problem === null) {
      for (const { row, id } of wave.added) {
        const reason = reasonFor(row.subject, { id, wire: row.wire }, wave.findings);
        await this.#note(row, reason === null ? "acted" : "reported", reason ?? "");
      }
      return { refused: wave.refused, failed: 0 };
    }
    const present = wave ? wave.added.map(({ row }) => row) : rows;
    const refused = [...(wave?.refused ?? [])];
    const [only] = present as [Row, ...Row[]];
    if (present.length === 1) {
      const failed = await this.#blamed(device, only, wave?.problem?.text ?? "");
      return { refused, failed };
    }
    const half = Math.ceil(present.length / 2);
    const first = await this.#searched(device, present.slice(0, half));
    const isOther = first.failed === 0;
    const second = await this.#searched(device, present.slice(half), isOther);
    refused.push(...first.refused, ...second.refused);
    const failed = first.failed + second.failed;
    if (failed === 0 && wave?.problem) {
      console.log(`only together: ${wave.problem.text}: ${present.map(shownRow).join("; ")}`);
      if (wave.problem.isSlow) return { refused, failed: 0 };
      await this.#note(only, "failed", `only together: ${wave.problem.text}`);
      return { refused, failed: 1 };
    }
    return { refused, failed };
  }

  /** A row that goes wrong alone: which of its values, each tried once more. */
  async #blamed(device: Device, row: Row, text: string): Promise<number> {
    let failed = 0;
    const { subject } = row;
    const plain = { subject, parts: [], wire: subject.draft(this.#next()) };
    const isPlain = subject.removePath !== null && row.parts.length > 1;
    const { problem: always } = isPlain ? await this.#wave(device, [plain]) : { problem: null };
    if (always) {
      await this.#note(row, "failed", `any ${subject.name}: ${always.text}`);
      return 1;
    }
    for (const part of row.parts) {
      const alone = rowOf(row.subject, part, this.#next());
      const { problem, added, refused, findings } = await this.#wave(device, [alone]);
      const [first] = added;
      if (problem || !first) {
        failed += 1;
        await this.#note(alone, "failed", problem?.text ?? refused[0]?.why ?? text);
        continue;
      }
      const reason = reasonFor(row.subject, { id: first.id, wire: alone.wire }, findings);
      await this.#note(alone, reason === null ? "acted" : "reported", reason ?? "");
    }
    if (failed === 0) console.log(`not again: ${text}: ${shownRow(row)}`);
    return failed;
  }
}
