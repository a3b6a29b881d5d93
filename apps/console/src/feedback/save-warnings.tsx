/**
 * Consequences of the last save, above the screen that it was made on, where they cover nothing. They go with the next save,
 * with the screen, or when they are closed.
 */
import CloseOutlined from "@ant-design/icons/es/icons/CloseOutlined";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { useTexts } from "#client/texts.ts";
import { Sentence } from "#ui/sentence.tsx";
import styles from "./save-warnings.module.css";

const none: readonly string[] = [];
let shown = none;
const listeners = new Set<() => void>();

/** In place of those of the save before. @param texts one sentence each */
export const showWarnings = (texts: readonly string[]): void => {
  if (texts.length === 0 && shown.length === 0) return;
  shown = texts;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const read = (): readonly string[] => shown;

export function SaveWarnings() {
  const t = useTexts();
  const texts = useSyncExternalStore(subscribe, read, read);
  const { pathname } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const left = useRef(pathname);
  useEffect(() => {
    if (left.current !== pathname) showWarnings(none);
    left.current = pathname;
  }, [pathname]);
  useEffect(() => () => showWarnings(none), []);
  // The form may have been opened from a row further down.
  useEffect(() => {
    if (texts.length > 0) place.current?.scrollIntoView({ block: "nearest" });
  }, [texts]);
  return (
    <div role="status" ref={place}>
      {texts.length > 0 && (
        <div className={styles.warnings}>
          <ul>
            {texts.map((text) => (
              <li key={text}>
                <Sentence glyph="warn" text={text} />
              </li>
            ))}
          </ul>
          <button
            type="button"
            className="w-icon-button"
            aria-label={t("act.close")}
            onClick={() => showWarnings(none)}
          >
            <CloseOutlined />
          </button>
        </div>
      )}
    </div>
  );
}
