import { useEffect, useRef } from "react";
import { useTexts } from "#client/texts.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import { type Choice, cutAround, folded, type Group, noteOf } from "./choice.ts";
import { paletteMessages } from "./messages.ts";
import styles from "./palette.module.css";
import type { Offer } from "./use-offer.ts";

interface Props {
  /** Ids of the list (`-list`) and of each choice (its place in all) begin so. */
  readonly id: string;
  /** Place of the active choice in all. */
  readonly at: number;
  /** What was looked for, trimmed. */
  readonly text: string;
  readonly offer: Offer;
  /** They are verbs of a row. */
  readonly isOfVerbs: boolean;
  choose(choice: Choice): void;
  onPoint(choice: Choice): void;
}

/** Choices by group, and below them what the search has to say. */
export function Choices(props: Props) {
  const { id, at, offer, text } = props;
  const t = useTexts(paletteMessages);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The heading comes along with the first choice.
    if (at === 0) list.current?.scrollTo({ top: 0 });
    else document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);
  return (
    <>
      <div className={styles.list} ref={list}>
        {offer.groups.length > 0 && (
          <div id={`${id}-list`} role="listbox" aria-label={t("palette.title")}>
            {offer.groups.map((group, place) => (
              <GroupOf
                key={group.key}
                {...props}
                group={group}
                first={offer.groups
                  .slice(0, place)
                  .reduce((sum, { choices }) => sum + choices.length, 0)}
              />
            ))}
          </div>
        )}
        <Status offer={offer} text={text} />
      </div>
      <p className={styles.keys}>{t(props.isOfVerbs ? "palette.verbKeys" : "palette.keys")}</p>
    </>
  );
}

interface GroupProps extends Props {
  readonly group: Group;
  /** Place of its first choice in all. */
  readonly first: number;
}

function GroupOf({ id, at, text, group, first, choose, onPoint }: GroupProps) {
  const t = useTexts(paletteMessages);
  const heading = `${id}-${group.key}`;
  const wanted = folded(text);
  return (
    <fieldset className={styles.group} aria-labelledby={heading}>
      <div id={heading} role="presentation" className={styles.heading}>
        {t(`palette.group.${group.key}`)}
      </div>
      {group.choices.map((choice, place) => (
        <button
          type="button"
          key={choice.id}
          id={`${id}-${first + place}`}
          role="option"
          tabIndex={-1}
          aria-selected={first + place === at}
          className={styles.choice}
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => first + place !== at && onPoint(choice)}
          onClick={() => choose(choice)}
        >
          {choice.glyph && <StatusGlyph glyph={choice.glyph} />}
          <span className={styles.title}>
            <Marked text={choice.title} wanted={wanted} />
          </span>
          <span className={styles.note}>
            <Marked text={noteOf(choice, wanted)} wanted={wanted} />
          </span>
        </button>
      ))}
    </fieldset>
  );
}

/** A text with the part that was looked for. */
function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  const [before, found, after] = cutAround(text, wanted);
  return (
    <>
      {before}
      {found && <mark>{found}</mark>}
      {after}
    </>
  );
}

/** How the search went: under way, without result, failed; read out as it changes. */
function Status({ offer, text }: Pick<Props, "offer" | "text">) {
  const t = useTexts(paletteMessages);
  const count = offer.groups.reduce((sum, { choices }) => sum + choices.length, 0);
  const isNothing = count === 0 && !offer.isSearching && offer.error === null;
  return (
    <div role="status" className={styles.status}>
      {offer.isSearching && <p>{t("palette.searching")}</p>}
      {isNothing && (
        <>
          <p className={styles.nothing}>{t("palette.nothing", { text })}</p>
          <p>{t("palette.looked")}</p>
        </>
      )}
      {offer.error && (
        <p>
          <StatusGlyph glyph="bad" /> {t("palette.failed", { why: offer.error.message })}{" "}
          <button type="button" className="w-link-button" onClick={offer.retry}>
            {t("act.retry")}
          </button>
        </p>
      )}
      {text !== "" && !offer.isSearching && count > 0 && (
        <p className="w-hidden">{t("palette.count", { count })}</p>
      )}
    </div>
  );
}
