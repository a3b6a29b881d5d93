import { expireDevice } from "@weft/contract/calls/notice.ts";
import { useEffect, useState } from "react";
import { call } from "#kernel/call.ts";
import { NOTICE_EVERY, type Notices } from "./notice.ts";

/**
 * Notices of the shell: fetched when it is entered and every half hour while it stands. A failure
 * says nothing and changes nothing; the next fetch may succeed (section 7.1).
 */
export const useNotices = (): Notices | null => {
  const [notices, setNotices] = useState<Notices | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const fetchThem = async (): Promise<void> => {
      const answer = await call(expireDevice, {}, { signal }).catch(() => null);
      if (answer && !signal.aborted) setNotices(answer.data);
    };
    void fetchThem();
    const timer = setInterval(() => void fetchThem(), NOTICE_EVERY);
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, []);
  return notices;
};
