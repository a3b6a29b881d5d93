import SearchOutlined from "@ant-design/icons/es/icons/SearchOutlined";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "#client/texts.ts";
import { later, OpenedLater } from "#feedback/later.tsx";
import { keyTable } from "#ui/keys/key-table.ts";
import { capsOf, isMac, keyOf } from "#ui/keys/press.ts";
import { shellMessages } from "./messages.ts";

const Palette = later(async () => (await import("./palette/palette.tsx")).Palette);

/** Ctrl K, on a Mac ⌘ K, wherever the focus is; the browser's own use of it gives way. */
const usePaletteKey = (toggle: () => void): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (keyOf(event) !== "palette") return;
      event.preventDefault();
      if (!event.repeat) toggle();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [toggle]);
};

/** Opens the palette, and shows its key. */
export function PaletteButton() {
  const t = useTexts(shellMessages);
  const [isOpen, setOpen] = useState(false);
  const [toggle] = useState(() => () => setOpen((now) => !now));
  usePaletteKey(toggle);
  const keys = capsOf(keyTable.palette.press[0]).join(" ");
  const name = `${t("shell.find")} ${keys}`;
  return (
    <>
      <button
        type="button"
        className="w-icon-button w-find"
        // What is read on it is part of its name: people say that to their computer.
        aria-label={name}
        aria-keyshortcuts={isMac() ? "Meta+K" : "Control+K"}
        aria-haspopup="dialog"
        title={name}
        onClick={() => setOpen(true)}
      >
        <SearchOutlined aria-hidden="true" />
        <kbd>{keys}</kbd>
      </button>
      <OpenedLater open={isOpen} onClose={() => setOpen(false)}>
        {isOpen &&
          // Beside the console: the header has inks of its own.
          createPortal(<Palette onClose={() => setOpen(false)} />, document.body)}
      </OpenedLater>
    </>
  );
}
