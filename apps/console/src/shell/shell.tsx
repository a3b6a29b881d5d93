import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Outlet, useLocation, useNavigate, useNavigation } from "react-router";
import { useDisplay } from "#client/display.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { SaveWarnings } from "#feedback/save-warnings.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { Header } from "./header.tsx";
import { ShellKeys } from "./keys/shell-keys.tsx";
import { useLayout } from "./layout.ts";
import { shellMessages } from "./messages.ts";
import { Sidebar } from "./sidebar.tsx";
import { TabBar } from "./tab-bar.tsx";
import { afterClosing, type Closing, type Tab, tabOf, withoutTabs, withTab } from "./tabs.ts";
import "./shell.css";
import "./layouts.css";

/** Nothing is shown for what takes less than this, in ms. */
const showAfter = 200;
/** The line stays this long after a navigation, in ms (specification section 9). */
const hideAfter = 300;

/** The line at the top while a screen loads. `pulse` changes when a page is reloaded in place. */
function Progress({ pulse }: { readonly pulse: number }) {
  const t = useTexts(shellMessages);
  const isLoading = useNavigation().state !== "idle";
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOn(isLoading), isLoading ? showAfter : hideAfter);
    return () => clearTimeout(timer);
  }, [isLoading]);
  useEffect(() => {
    if (pulse === 0) return;
    setOn(true);
    const timer = setTimeout(() => setOn(false), hideAfter);
    return () => clearTimeout(timer);
  }, [pulse]);
  return (
    <div
      className="w-progress"
      role="progressbar"
      aria-label={t("shell.loading")}
      data-on={isOn || undefined}
    />
  );
}

interface Props {
  /** Path of the first page. */
  readonly home: string;
  /** The dialog of the account menu; the shell does not know any feature. */
  readonly ChangePassword: ComponentType<{ readonly open: boolean; readonly onClose: () => void }>;
  /** Notice about the installation in the header. */
  readonly notice: ReactNode;
}

/** Open tabs; they follow the address. They end with the shell. */
const useTabs = (home: string) => {
  const { menus } = useSession();
  const { pathname, search, key: visit } = useLocation();
  const navigate = useNavigate();
  // A closed page stays visible until the next one is loaded; its tab is already removed.
  const [left, setLeft] = useState<string | null>(null);
  const here = left === visit ? null : tabOf(menus, pathname, search, home);
  const [tabs, setTabs] = useState<readonly Tab[]>(() => {
    const first = tabOf(menus, home, "", home);
    return first ? [first] : [];
  });
  // Derived during rendering: the tab bar always contains the page that is open.
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

/** A fixed body is as wide as the window: a width set on it is removed (section 4). */
const useBody = (fixedBody: boolean): void => {
  useEffect(() => {
    if (fixedBody) document.body.style.removeProperty("width");
  }, [fixedBody]);
};

/**
 * The page. Its root names the address that it shows: the address bar is ahead of it while the next
 * page is loading.
 */
function Page() {
  const { pathname, search } = useLocation();
  return (
    <div className="w-page" data-address={pathname + search}>
      <SaveWarnings />
      <Outlet />
    </div>
  );
}

/** Header, menu, tabs and the page itself. */
export function Shell({ home, ChangePassword, notice }: Props) {
  const t = useTexts(shellMessages);
  const client = useQueryClient();
  const layout = useLayout();
  const display = useDisplay();
  useBody(display.fixedBody);
  const { tabs, active, close } = useTabs(home);
  const [reloads, setReloads] = useState(0);
  const [refreshes, setRefreshes] = useState(0);
  const [isEditing, setEditing] = useState(false);
  const reload = (): void => {
    // The page is mounted again and then fetches everything that is stale.
    void client.invalidateQueries({ refetchType: "none" });
    setReloads(reloads + 1);
  };
  const { kind, isOverlay } = layout;
  return (
    <div
      className="w-shell"
      data-layout={kind}
      data-scroll={display.fixedBody ? "content" : "page"}
      data-fixed-header={display.fixedHeader || undefined}
      data-fixed-sidebar={display.fixedSidebar || undefined}
      data-column={display.bodyFull ? undefined : ""}
      data-logo-auto={display.logoAutoSize || undefined}
      data-colourful={display.colorfulIcon || undefined}
    >
      <a className="w-skip" href="#content">
        {t("shell.skip")}
      </a>
      <Progress pulse={reloads + refreshes} />
      <Sidebar layout={layout} />
      <Header layout={layout} onEditPassword={() => setEditing(true)} notice={notice} />
      {display.showTabs && (
        <TabBar
          tabs={tabs}
          active={active}
          hasReload={kind === "top" && !isOverlay}
          onReload={reload}
          onClose={close}
        />
      )}
      <main id="content" className="w-content" tabIndex={-1}>
        {kind !== "side" && <Breadcrumb />}
        {/* Another key mounts the page again: a reload of the active tab. */}
        <Page key={reloads} />
      </main>
      <ShellKeys home={home} onRefresh={() => setRefreshes((count) => count + 1)} />
      <ChangePassword open={isEditing} onClose={() => setEditing(false)} />
    </div>
  );
}
