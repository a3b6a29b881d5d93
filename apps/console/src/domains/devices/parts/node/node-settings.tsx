import type { Permission } from "@weft/contract/permissions.ts";
import Button from "antd/es/button";
import Tooltip from "antd/es/tooltip";
import { Fragment, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { May } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import type { SettingsSection } from "#domains/policies/parts/policy/node-sections.tsx";
import { sectionGroups } from "#domains/policies/parts/policy/section-list.ts";
import { templateMessages } from "#domains/templates/parts/template/messages.ts";
import { useTakesEffect } from "#feedback/device-capabilities.tsx";
import { SectionsFrame } from "#parts/sections/sections-frame.tsx";
import styles from "./node-settings.module.css";
import { useNodeTexts } from "./node-texts.ts";

/** Sections of a node at the left with their counts, one of them open; the address names it. */
export function NodeSettings({ sections }: { readonly sections: readonly SettingsSection[] }) {
  const t = useNodeTexts();
  const templateText = useTexts(templateMessages);
  const [search] = useSearchParams();
  const wanted = search.get("section");
  const current = sections.find(({ key }) => key === wanted) ?? sections[0];
  return (
    <SectionsFrame
      label={t("node.sections")}
      current={current?.key}
      groups={sectionGroups.map((group) => ({
        key: group,
        title: templateText(`template.group.${group}`),
        sections: sections
          .filter((section) => section.group === group)
          .map(({ key, label, count }) => ({ key, label, count, to: `?section=${key}` })),
      }))}
    >
      <Fragment key={current?.key}>{current?.body()}</Fragment>
    </SectionsFrame>
  );
}

interface FrameProps {
  readonly title: string;
  /** Beside the title, where a save is not delivered immediately. */
  readonly note?: string;
  /** Resource of its rows: without a promise of delivery where no device carries them out. */
  readonly about?: string;
  readonly add?: {
    readonly label: string;
    readonly may: Permission;
    readonly run: () => void;
    readonly disabledReason?: string | null;
  };
  /** Left of the button that adds a row. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** One section: its title, what a save does, the button that adds a row. */
export function SectionFrame({ title, note, about, add, tools, children }: FrameProps) {
  const t = useNodeTexts();
  const acts = useTakesEffect();
  const isDelivered = about === undefined || acts(about);
  return (
    <section aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        <span className="w-quiet">{note ?? (isDelivered && t("node.appliesAtOnce"))}</span>
        {tools && <span className={add ? styles.tools : styles.add}>{tools}</span>}
        {add && (
          <May code={add.may}>
            <span className={styles.add}>
              <Tooltip title={add.disabledReason}>
                <Button type="primary" disabled={Boolean(add.disabledReason)} onClick={add.run}>
                  {add.label}
                </Button>
              </Tooltip>
            </span>
          </May>
        )}
      </header>
      {children}
    </section>
  );
}
