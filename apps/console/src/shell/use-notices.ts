import { expireDevice } from "@weft/contract/domains/notifications/notice.ts";
import { useEffect, useState } from "react";
import { call } from "#client/call.ts";
import { useRendered } from "#client/use-rendered.ts";
import type { Notices } from "./notice.ts";
import { watchNotices } from "./watch-notices.ts";

const load = async (signal: AbortSignal): Promise<Notices> =>
  (await call(expireDevice, {}, { signal })).data;

/** Notices of the shell, as long as it is mounted; null until the first come. */
export const useNotices = (): Notices | null => {
  const [notices, setNotices] = useState<Notices | null>(null);
  const isDue = useRendered();
  useEffect(() => (isDue ? watchNotices(load, setNotices) : undefined), [isDue]);
  return notices;
};
