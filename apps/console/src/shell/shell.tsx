import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Outlet, useLocation, useNavigate } from "react-router";
import { changeDisplay, useDisplay } from "#kernel/display.ts";
import { useSession } from "#kernel/session.tsx";
import { useTexts } from "#kernel/texts.ts";
import { COMPACT, useNarrow } from "#ui/use-narrow.ts";
import { Header } from "./header.tsx";
import { shellMessages } from "./messages.ts";
import { Progress } from "./progress.tsx";
import "./shell.css";
import { Sidebar } from "./sidebar.tsx";
import { TabBar } from "./tab-bar.tsx";
import { afterClosing, type Closing, type Tab, tabOf, withoutTabs, withTab } from "./tabs.ts";

interface Props {
  /** Path of the first screen. */
  readonly home: string;
  /** The dialog of the account menu; the shell knows no feature. */
  readonly ChangePassword: ComponentType<{ readonly open: boolean; readonly onClose: () => void }>;
  /** What the header says of the installation. */
  readonly notice: ReactNode;
}

/** Open tabs; they follow the address. Gone with the shell. */
const useTabs = (home: string) => {
  const { menus } = useSession();
  const { pathname, search, key: visit } = useLocation();
  const navigate = useNavigate();
  // A closed page stays on screen until the next one is loaded; its tab is gone already.
  const [left, setLeft] = useState<string | null>(null);
  const here = left === visit ? null : tabOf(menus, pathname, search, home);
  const [tabs, setTabs] = useState<readonly Tab[]>(() => {
    const first = tabOf(menus, home, "", home);
    return first ? [first] : [];
  });
  // Derived while drawing: the strip never shows a state without the page that is open.
  const shown = here ? withTab(tabs, here) : tabs;
  useEffect(() => setTabs(shown), [shown]);
  const close = (closing: Closing, key: string): void => {
    const kept = withoutTabs(shown, closing, key);
    const next = afterClosing(shown, kept, here?.key ?? "", home);
    setTabs(kept);
    if (next === null) return;
    setLeft(visit);
    void navigate(next);
  };
  return { tabs: shown, active: here?.key ?? null, close };
};

/** Menu beside, over, or folded: by the width of the window and what the person chose. */
const useSide = () => {
  const isOverlay = useNarrow();
  const isCompact = useNarrow(COMPACT);
  const { collapse } = useDisplay();
  const [isOpen, setOpen] = useState(false);
  // What was chosen on a wide screen says nothing about a compact one.
  const [isUnfolded, setUnfolded] = useState(false);
  const isFolded = isCompact ? !isUnfolded : collapse;
  const toggle = (): void => {
    if (isOverlay) setOpen(!isOpen);
    else if (isCompact) setUnfolded(!isUnfolded);
    else changeDisplay({ collapse: !collapse });
  };
  return { isOverlay, isFolded: isFolded && !isOverlay, isOpen, setOpen, toggle };
};

/** Header, menu, tabs and the page itself. */
export function Shell({ home, ChangePassword, notice }: Props) {
  const t = useTexts(shellMessages);
  const client = useQueryClient();
  const side = useSide();
  const { tabs, active, close } = useTabs(home);
  const [reloads, setReloads] = useState(0);
  const [isEditing, setEditing] = useState(false);
  const reload = (): void => {
    // The page is made anew and then asks for all that is stale.
    void client.invalidateQueries({ refetchType: "none" });
    setReloads(reloads + 1);
  };
  return (
    <div className="w-shell">
      <a className="w-skip" href="#content">
        {t("shell.skip")}
      </a>
      <Progress pulse={reloads} />
      <Sidebar
        isFolded={side.isFolded}
        isOverlay={side.isOverlay}
        isOpen={side.isOpen}
        onClose={() => side.setOpen(false)}
      />
      <div className="w-shell-main">
        <Header
          isFolded={side.isFolded}
          isOverlay={side.isOverlay}
          onMenu={side.toggle}
          onEditPassword={() => setEditing(true)}
          notice={notice}
        />
        <TabBar tabs={tabs} active={active} onReload={reload} onClose={close} />
        <main id="content" className="w-content" tabIndex={-1}>
          {/* Another key makes the page anew: a reload of the active tab. */}
          <div key={reloads} className="w-page">
            <Outlet />
          </div>
        </main>
      </div>
      <ChangePassword open={isEditing} onClose={() => setEditing(false)} />
    </div>
  );
}
