/** Round-trip time, jitter and loss of one target from the replies of fping. Pure. */

export interface Reply {
  /** Ms on the clock of the program. */
  readonly at: number;
  /** Number of the request, from 0. */
  readonly sequence: number;
  readonly rttMs: number;
}

export interface ProbeMetrics {
  readonly rttMs: number | null;
  readonly jitterMs: number | null;
  readonly lossPercent: number | null;
  readonly up: boolean;
}

export const periodMs = 200;
export const windowMs = 10_000;
/**
 * Without a reply for so long a link counts as down: five in a row are missing. Fewer would make a
 * link that loses a fifth of its packets fall every few minutes.
 */
export const silenceMs = 1_100;

/** fping pads targets to the length of the longest. */
const line = /^\[(\d+\.\d+)\] (\S+) +: \[(\d+)\], \d+ bytes, ([\d.]+) ms/;

/** One line of `fping -l -D`: "[1695.25] 10.0.0.1 : [7], 20 bytes, 0.38 ms (...)"; null: another. */
export const parseReply = (text: string): { target: string; reply: Reply } | null => {
  const [, seconds, target = "", sequence, rtt] = line.exec(text) ?? [];
  if (seconds === undefined) return null;
  const reply = { at: Number(seconds) * 1_000, sequence: Number(sequence), rttMs: Number(rtt) };
  return { target, reply };
};

/** "[1695.25] 10.0.0.1 : [7], timed out (...)": the target; null: another line. */
export const parseTimeout = (text: string): string | null =>
  /^\[\d+\.\d+\] (\S+) +: \[\d+\], timed out/.exec(text)?.[1] ?? null;

/** Smoothed difference of neighbouring round-trip times (RFC 3550 section 6.4.1). */
const jitterOf = (replies: readonly Reply[]): number => {
  let jitter = 0;
  replies.forEach((reply, index) => {
    const before = replies[index - 1];
    if (before) jitter += (Math.abs(reply.rttMs - before.rttMs) - jitter) / 16;
  });
  return jitter;
};

/** Whether the last replies came when they should; null: it is too early to say. */
export const answers = (
  replies: readonly Reply[],
  startedAt: number,
  now: number,
): boolean | null => {
  const last = replies.at(-1);
  if (last) return now - last.at < silenceMs;
  return now - startedAt > silenceMs ? false : null;
};

/**
 * Metrics of the last 10 s. fping is silent about a request without a reply, so losses are the gaps
 * in the sequence, and the requests that must have been sent since the last reply.
 *
 * @param replies in order of arrival
 * @param startedAt when the first request was sent
 */
export const metricsOf = (
  replies: readonly Reply[],
  startedAt: number,
  now: number,
): ProbeMetrics => {
  const recent = replies.filter(({ at }) => now - at <= windowMs);
  const [first] = recent;
  const last = recent.at(-1);
  if (!first || !last) {
    // The first reply may still be on its way.
    const known = now - startedAt > silenceMs;
    return { rttMs: null, jitterMs: null, lossPercent: known ? 100 : null, up: false };
  }
  const mean = recent.reduce((sum, { rttMs }) => sum + rttMs, 0) / recent.length;
  // Half a period of patience with a reply that is a little slower than the one before.
  const silent = Math.max(0, Math.floor((now - last.at - periodMs / 2) / periodMs));
  const sent = last.sequence - first.sequence + 1 + silent;
  const round = (value: number) => Math.round(value * 1_000) / 1_000;
  return {
    rttMs: round(mean),
    jitterMs: round(jitterOf(recent)),
    lossPercent: round((100 * Math.max(0, sent - recent.length)) / sent),
    up: now - last.at < silenceMs,
  };
};
