import { useEffect, useRef, useState } from "react";

/**
 * Text that is being typed, passed on once no key was pressed for a while.
 * @param pause in ms.
 * @returns what was typed and not passed on yet, else null; null as text forgets it.
 */
export const useRested = (
  pause: number,
  notify: (text: string) => void,
): readonly [string | null, (text: string | null) => void] => {
  const [text, setText] = useState<string | null>(null);
  const notified = useRef(notify);
  notified.current = notify;
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => {
      setText(null);
      notified.current(text);
    }, pause);
    return () => clearTimeout(timer);
  }, [text, pause]);
  return [text, setText];
};
