/**
 * Consequences of the last save, above the screen that it was made on, where they cover nothing. They go with the next save,
 * with the screen, or when they are closed.
 */
import CloseOutlined from "@ant-design/icons/es/icons/CloseOutlined";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { useTexts } from "#client/texts.ts";
import { Sentence } from "#ui/sentence.tsx";
import { forgetWarnings, useWarnings } from "./last-warnings.ts";
import styles from "./save-warnings.module.css";

export function SaveWarnings() {
  const t = useTexts();
  const texts = useWarnings();
  const { pathname } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const left = useRef(pathname);
  useEffect(() => {
    if (left.current !== pathname) forgetWarnings();
    left.current = pathname;
  }, [pathname]);
  useEffect(() => forgetWarnings, []);
  // The form may have been opened from a row further down.
  useEffect(() => {
    if (texts.length > 0) place.current?.scrollIntoView({ block: "nearest" });
  }, [texts]);
  return (
    <div role="status" className={styles.place} ref={place}>
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
            onClick={forgetWarnings}
          >
            <CloseOutlined />
          </button>
        </div>
      )}
    </div>
  );
}
