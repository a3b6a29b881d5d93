import type { ReactNode } from "react";
import { Link } from "react-router";
import styles from "./sections-frame.module.css";

/** The way to one section. */
export interface SectionLink {
  readonly key: string;
  readonly label: string;
  /** Its address, or the query of it alone (`?section=dns`). */
  readonly to: string;
  /** Rows of the section; null while unknown; absent: it is no list. */
  readonly count?: number | null | undefined;
}

export interface SectionGroup {
  readonly key: string;
  /** null: only the links. */
  readonly title: string | null;
  readonly sections: readonly SectionLink[];
}

interface Props {
  /** What the list is of. */
  readonly label: string;
  readonly groups: readonly SectionGroup[];
  /** Key of the open section. */
  readonly current: string | undefined;
  readonly children: ReactNode;
}

/** On a narrow screen the list is one line: the open section is scrolled to its middle. */
const intoSight = (link: HTMLAnchorElement | null): void => {
  const list = link?.closest("nav");
  if (!link || !list) return;
  const [own, around] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollLeft += own.left + own.width / 2 - around.left - around.width / 2;
};

/** Sections at the left, in groups; the open one at the right. */
export function SectionsFrame({ label, groups, current, children }: Props) {
  return (
    <div className={styles.frame}>
      <nav className={styles.list} aria-label={label}>
        {groups
          .filter(({ sections }) => sections.length > 0)
          .map(({ key, title, sections }) => (
            <div key={key} className={styles.group}>
              {title !== null && <h2>{title}</h2>}
              {sections.map((section) => (
                <Link
                  key={section.key}
                  to={section.to}
                  {...(section.key === current && { ref: intoSight, "aria-current": "page" })}
                >
                  {section.label}
                  {section.count !== undefined && (
                    <span className={styles.count}>{section.count ?? "—"}</span>
                  )}
                </Link>
              ))}
            </div>
          ))}
      </nav>
      <div className={styles.section}>{children}</div>
    </div>
  );
}
