import { useEffect, useState } from "react";
import { uiText, useLanguage } from "./ui-text.ts";

/** Cuts in the middle: the ends of serial numbers and addresses are what people compare. */
export const cutMiddle = (text: string, longest: number): string => {
  if (text.length <= longest) return text;
  const tail = Math.floor((longest - 1) / 2);
  return `${text.slice(0, longest - 1 - tail)}…${text.slice(text.length - tail)}`;
};

/** Without a secure context there is no clipboard object; the old command still works there. */
const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
};

interface Props {
  readonly text: string;
  /** Ids, addresses, keys. */
  readonly mono?: boolean;
  /** Characters shown; the rest is cut out of the middle. By default, what the place holds. */
  readonly short?: number | undefined;
}

/** Characters at the end that stay when the place is too narrow. */
const tailLength = 6;

/** A text with a button that copies all of it. */
export function Copyable({ text, mono = true, short }: Props) {
  if (short === undefined) {
    return (
      <span className="w-copyable" title={text}>
        <span className={mono ? "w-middle w-mono" : "w-middle"}>
          <span>{text.slice(0, -tailLength)}</span>
          <span>{text.slice(-tailLength)}</span>
        </span>
        <CopyButton text={text} />
      </span>
    );
  }
  const shown = cutMiddle(text, short);
  return (
    <span className="w-copyable">
      <span className={mono ? "w-mono" : undefined} title={shown === text ? undefined : text}>
        {shown}
      </span>
      <CopyButton text={text} />
    </span>
  );
}

/** The button alone. */
export function CopyButton({ text }: { readonly text: string }) {
  const language = useLanguage();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const label = uiText(copied ? "copied" : "copy", language);
  return (
    <button
      type="button"
      className="w-copy"
      aria-label={`${label} ${text}`}
      title={label}
      data-copied={copied || undefined}
      onClick={(event) => {
        // A row under the button may open something on a click.
        event.stopPropagation();
        copyText(text).then(
          () => setCopied(true),
          () => undefined,
        );
      }}
    >
      <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden>
        {copied ? (
          <path d="m2.5 7.5 3 3 6-7" strokeWidth="1.6" />
        ) : (
          <path d="M4.5 4.5h7v7h-7zM9.5 4.5v-2h-7v7h2" strokeWidth="1.2" />
        )}
      </svg>
    </button>
  );
}
