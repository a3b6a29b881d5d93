/** What a notification looks like on each channel: pure. */
import type { Channel } from "@weft/contract/domains/notifications/channels.ts";

/** A notification in its reader's language. */
export interface Notice {
  readonly subject: string;
  readonly body: string;
  /** For channels that are paid by the length. */
  readonly short: string;
  /** For programs: becomes `data` of the JSON (docs/webhooks.md). */
  readonly data: Readonly<Record<string, unknown>>;
  /** Type in that JSON. */
  readonly type: string;
  readonly at: Date;
}

interface Rendered {
  readonly subject: string;
  readonly body: string;
}

/** Bytes of UTF-8 that a robot takes, with room for the subject: WeChat Work takes 2,048, the others 20,000. */
const maxBytes = { wechat: 1_900, dingtalk: 15_000, feishu: 15_000 } as const;

/** The first lines that fit, and a mark if some do not: no message is refused for its length. */
function withinBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  const mark = "…";
  const room = Buffer.from(text).subarray(0, Math.max(0, max - Buffer.byteLength(mark)));
  // A character that was cut in two is left out.
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(room).replace(/\uFFFD+$/u, "");
  const end = whole.lastIndexOf("\n");
  return `${end > 0 ? whole.slice(0, end + 1) : whole}${mark}`;
}

/** A body for programs; `type` and `timestamp` are beside `data` in every one of them. */
export const hookBody = (type: string, at: Date, data: object): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });

const robot =
  (max: number) =>
  ({ subject, body }: Notice): Rendered => ({
    subject,
    body: withinBytes(body, max - Buffer.byteLength(subject)),
  });

/** Decided for every channel. */
const renderers: Readonly<Record<Channel, (notice: Notice) => Rendered>> = {
  mail: ({ subject, body }) => ({ subject, body }),
  sms: ({ short }) => ({ subject: "", body: short }),
  dingtalk: robot(maxBytes.dingtalk),
  wechat: robot(maxBytes.wechat),
  feishu: robot(maxBytes.feishu),
  webhook: ({ subject, type, at, data }) => ({ subject, body: hookBody(type, at, data) }),
};

export const render = (channel: Channel, notice: Notice): Rendered => renderers[channel](notice);
