import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Notices, noticeEvery } from "./notice.ts";
import { watchNotices } from "./watch-notices.ts";

const some: Notices = {
  cpeList: [{ id: 1, alias: "A1", expireTime: new Date(0) }],
  popList: [],
  clientList: [],
};

describe("the notice fetch", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Begins a watch whose calls are answered in turn; null fails. */
  const startWatch = (answers: readonly (Notices | null)[]) => {
    const shown: Notices[] = [];
    let requestCount = 0;
    const stop = watchNotices(
      async () => {
        const answer = answers[requestCount++];
        if (!answer) throw new Error("no answer");
        return answer;
      },
      (notices) => shown.push(notices),
    );
    return { shown, stop, requestCount: () => requestCount };
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it("B-7.1-15, B-7.1-17: is made once when the shell is entered, and not again before its time", async () => {
    const { stop, requestCount, shown } = startWatch([some, some]);
    await pass(1_799_999);
    expect([requestCount(), shown]).toEqual([1, [some]]);
    stop();
  });

  it("B-7.1-16: is made again after 1,800,000 ms", async () => {
    const { stop, requestCount } = startWatch([some, some]);
    await pass(1_800_000);
    expect([requestCount(), noticeEvery]).toEqual([2, 1_800_000]);
    stop();
  });

  it("B-7.1-20: that failed once shows its lists the next time", async () => {
    const { stop, shown } = startWatch([null, some]);
    await pass(0);
    expect(shown).toEqual([]);
    await pass(noticeEvery);
    expect(shown).toEqual([some]);
    stop();
  });

  it("B-7.1-19: ends with the shell, and what comes late is not shown", async () => {
    const { stop, requestCount, shown } = startWatch([some, some]);
    stop();
    await pass(2 * noticeEvery);
    expect([requestCount(), shown, vi.getTimerCount()]).toEqual([1, [], 0]);
  });
});
