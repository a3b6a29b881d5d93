import CloseOutlined from "@ant-design/icons/es/icons/CloseOutlined";
import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import Dropdown from "antd/es/dropdown/dropdown";
import { Link } from "react-router";
import { useDisplay } from "#client/display.ts";
import { tabStyles } from "#client/kept-display.ts";
import { inTabs, usePageNames } from "#client/page-name.ts";
import { useTexts } from "#client/texts.ts";
import { shellMessages } from "./messages.ts";
import type { Closing, Tab } from "./tabs.ts";

interface Props {
  readonly tabs: readonly Tab[];
  readonly active: string | null;
  /** Offers "refresh current": in the top-menu layout on wide screens only (section 2.5). */
  readonly hasReload: boolean;
  onReload(): void;
  onClose(closing: Closing, key: string): void;
}

/** Open pages. The active one reloads when it is clicked again. */
export function TabBar({ tabs, active, hasReload, onReload, onClose }: Props) {
  const t = useTexts(shellMessages);
  const { tabStyle } = useDisplay();
  const at = t.language === "zh_cn" ? 0 : 1;
  const { byPath } = usePageNames();
  return (
    <div className="w-tabs" data-tabs={tabStyles[tabStyle]}>
      <nav aria-label={t("shell.tabs")} className="w-tabs-strip">
        {tabs.map((tab) => {
          const isActive = tab.key === active;
          const title = byPath.get(inTabs(tab.key)) ?? byPath.get(tab.key) ?? tab.title[at];
          return (
            <span key={tab.key} className="w-tab-box" data-active={isActive || undefined}>
              <Link
                className="w-tab"
                to={tab.href}
                {...(isActive && { "aria-current": "page" as const })}
                onClick={(event) => {
                  if (!isActive || event.metaKey || event.ctrlKey) return;
                  event.preventDefault();
                  onReload();
                }}
              >
                {title}
              </Link>
              {!tab.isFixed && (
                <button
                  type="button"
                  className="w-tab-close"
                  aria-label={t("shell.closeTab", { title })}
                  onClick={() => onClose("this", tab.key)}
                >
                  <CloseOutlined />
                </button>
              )}
            </span>
          );
        })}
      </nav>
      <TabActions active={active} hasReload={hasReload} onReload={onReload} onClose={onClose} />
    </div>
  );
}

function TabActions({ active, hasReload, onReload, onClose }: Omit<Props, "tabs">) {
  const t = useTexts(shellMessages);
  const items = [
    ...(hasReload
      ? [{ key: "reload", label: t("shell.reload") }, { type: "divider" as const }]
      : []),
    { key: "left", label: t("shell.closeLeft") },
    { key: "right", label: t("shell.closeRight") },
    { key: "others", label: t("shell.closeOthers") },
    { key: "all", label: t("shell.closeAll") },
  ];
  return (
    <Dropdown
      trigger={["click"]}
      placement="bottomRight"
      menu={{
        items,
        onClick: ({ key }) =>
          key === "reload" ? onReload() : onClose(key as Closing, active ?? ""),
      }}
    >
      <button type="button" className="w-icon-button" aria-label={t("shell.tabActions")}>
        <DownOutlined />
      </button>
    </Dropdown>
  );
}
