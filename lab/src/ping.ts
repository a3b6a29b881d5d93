import { failure } from "./command.ts";
import { exec } from "./enter.ts";
import type { Lab } from "./lab.ts";

export interface PingOptions {
  /** Milliseconds between requests; 100 by default. */
  readonly intervalMs?: number;
  /** How many requests, or for how long; 5 requests by default. */
  readonly count?: number;
  readonly durationMs?: number;
  /** An address or interface to send from. */
  readonly source?: string;
  /** Bytes of each request behind its ICMP header; 56 by default. */
  readonly size?: number;
}

export interface PingResult {
  readonly sent: number;
  readonly received: number;
  /** The longest time without an answer, in ms; without loss it is about the interval. */
  readonly maxGapMs: number;
  /** Mean round trip in ms; absent without any answer. */
  readonly rttMs?: number;
  /** What others answered instead, such as "Destination Net Unreachable". */
  readonly errors: readonly string[];
}

/**
 * Pings from a node and measures how long it ever stayed without an answer.
 * @throws LabError when ping cannot even start, as without any route
 */
export async function ping(
  lab: Lab,
  node: string,
  destination: string,
  { intervalMs = 100, source, size = 56, ...length }: PingOptions = {},
): Promise<PingResult> {
  const count =
    length.durationMs === undefined
      ? (length.count ?? 5)
      : Math.max(1, Math.ceil(length.durationMs / intervalMs));
  const from = source === undefined ? [] : ["-I", source];
  const pace = [
    "-i",
    String(intervalMs / 1000),
    "-c",
    String(count),
    "-s",
    String(size),
    "-W",
    "1",
  ];
  const argv = ["ping", "-D", "-n", ...pace, ...from, destination];
  const timeout = count * intervalMs + 60_000;
  const { code, stdout, stderr } = await exec(lab, node, argv, { timeout });
  const result = readPing(stdout, intervalMs);
  // 0: answers, 1: no answer. 2 is trouble, also when a route went missing on the way.
  if (!result || (code > 1 && result.received === 0)) {
    throw failure(node, argv, `ended with ${code}`, stderr.trim() === "" ? stdout : stderr);
  }
  return result;
}

/** Reads what ping(8) of iputils prints with -D. @returns undefined without its closing lines. */
export function readPing(text: string, intervalMs: number): PingResult | undefined {
  const total = /^(\d+) packets transmitted, (\d+) received/m.exec(text);
  if (!total) return undefined;
  const [sent, received] = [Number(total[1]), Number(total[2])];
  const answers = [...text.matchAll(/^\[([\d.]+)\] \d+ bytes from .*icmp_seq=(\d+)/gm)]
    .filter(([line]) => !line.includes("DUP!"))
    .map(([, at, sequence]) => ({ at: Number(at) * 1000, sequence: Number(sequence) }));
  const rtts = [...text.matchAll(/ time=([\d.]+) ms/g)].map(([, ms]) => Number(ms));
  const errors = [...text.matchAll(/^(?:\[[\d.]+\] )?From \S+ icmp_seq=\d+ (.+)$/gm)];
  return {
    sent,
    received,
    maxGapMs: maxGap(answers, sent, intervalMs),
    ...(rtts.length > 0 && { rttMs: rtts.reduce((sum, ms) => sum + ms, 0) / rtts.length }),
    errors: errors.map(([, reason]) => reason ?? ""),
  };
}

/** Between two answers the clock counts; before the first and after the last, what was not answered. */
function maxGap(
  answers: readonly { at: number; sequence: number }[],
  sent: number,
  intervalMs: number,
): number {
  const first = answers[0];
  const last = answers.at(-1);
  if (!first || !last) return sent * intervalMs;
  const between = answers.slice(1).map(({ at }, index) => at - (answers[index]?.at ?? at));
  const before = (first.sequence - 1) * intervalMs;
  const after = (sent - last.sequence) * intervalMs;
  return Math.round(Math.max(before, after, ...between));
}
