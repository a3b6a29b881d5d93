import type { MenuPath } from "@weft/contract/menu.ts";
import { tokenStore } from "#client/call.ts";
import { headStyles, layoutStyles, useDisplay } from "#client/display.ts";
import { entrance } from "#client/entrance.ts";
import { isVisitTab } from "#client/visit.ts";
import { Bars } from "#ui/bars.tsx";
import "#ui/frame.css";
import { compactWidth, useNarrow } from "#ui/use-narrow.ts";

/** The line at the top while something is on its way. */
function Waiting() {
  return <div className="w-progress" role="progressbar" data-on />;
}

const filling: MenuPath = "/screen";

/** Whether the shell is what an address most likely shows: not before a session, and not around a screen that fills the window. */
const showsShell = (pathname: string): boolean =>
  tokenStore().read() !== null &&
  !isVisitTab() &&
  pathname !== filling &&
  pathname !== entrance.forget &&
  !pathname.startsWith("/exception/");

/** In place of the shell, whose code is on its way: its parts where they will be, in the colours that the person chose. */
function Frame() {
  const { collapse, darkMode, headStyle, layoutStyle, showTabs, sideStyle } = useDisplay();
  const isOverlay = useNarrow();
  const isCompact = useNarrow(compactWidth);
  const kind = isOverlay ? "side" : (layoutStyles[layoutStyle] ?? "side");
  const isDark = sideStyle === 1 || darkMode;
  return (
    <div className="w-frame" data-layout={kind} aria-busy="true">
      <Waiting />
      {kind !== "top" && !isOverlay && (
        <div
          className={isDark ? "w-frame-side w-side-dark" : "w-frame-side"}
          data-folded={isCompact || collapse || undefined}
        />
      )}
      <div
        className="w-frame-header"
        data-head={darkMode && headStyle === 0 ? undefined : headStyles[headStyle]}
      />
      {showTabs && <div className="w-frame-tabs" />}
      <div className="w-frame-content">
        <div className="w-bar-title" />
        <div className="w-card w-loading">
          <Bars count={10} />
        </div>
      </div>
    </div>
  );
}

/** While the code of what the address shows is on its way: the frame of the shell, else the line at the top alone. */
export function Starting() {
  return showsShell(location.pathname) ? <Frame /> : <Waiting />;
}
