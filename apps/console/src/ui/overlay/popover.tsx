import LibraryPopover, { type PopoverProps } from "antd/es/popover";
import type { TooltipRef } from "antd/es/tooltip";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { controlsIn } from "./focus-trail.ts";

interface Props extends Omit<PopoverProps, "content" | "trigger"> {
  /** Its accessible name, for users who cannot see which button opened it. */
  readonly label: string;
  readonly content: ReactNode;
}

/** The library renders it invisibly first, when nothing can be focused: maximum number of frames to wait. */
const maxFrames = 60;

/** Focuses the first control of a panel, or the panel itself, as soon as possible. @returns cancels it */
const focusSoon = (panel: () => HTMLElement | null): (() => void) => {
  let frame = 0;
  const track = (left: number): void => {
    const element = panel();
    const goal = element && (controlsIn(element)[0] ?? element);
    goal?.focus({ preventScroll: true });
    if (left === 0 || (goal && document.activeElement === goal)) return;
    frame = requestAnimationFrame(() => track(left - 1));
  };
  track(maxFrames);
  return () => cancelAnimationFrame(frame);
};

/**
 * A panel that a button opens beside itself. The library renders it at the end of the page, where Tab does not
 * lead: here it has the focus while it is open, and the button gets it back when Escape, a Tab past
 * its ends or a selection closes it. A panel that opens automatically takes no focus.
 */
export function Popover({ label, content, open, onOpenChange, ...more }: Props) {
  const [isOwn, setOwn] = useState(false);
  const isOpen = open ?? isOwn;
  const isRequested = useRef(false);
  const library = useRef<TooltipRef>(null);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const opener = library.current?.nativeElement;
    const giveUp = isRequested.current ? focusSoon(() => panel.current) : undefined;
    return () => {
      giveUp?.();
      isRequested.current = false;
      if (panel.current?.contains(document.activeElement)) opener?.focus({ preventScroll: true });
    };
  }, [isOpen]);
  const change = (next: boolean): void => {
    isRequested.current = next;
    setOwn(next);
    onOpenChange?.(next);
  };
  const leave = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== "Tab") return;
    const controls = controlsIn(event.currentTarget);
    const end = event.shiftKey ? controls[0] : controls.at(-1);
    const isInside = end !== undefined && document.activeElement !== end;
    if (isInside && document.activeElement !== event.currentTarget) return;
    event.preventDefault();
    change(false);
  };
  return (
    <LibraryPopover
      {...more}
      ref={library}
      trigger="click"
      open={isOpen}
      onOpenChange={change}
      content={
        <section
          ref={panel}
          aria-label={label}
          tabIndex={-1}
          className="w-popover"
          onKeyDown={leave}
        >
          {content}
        </section>
      }
    />
  );
}
