import Checkbox from "antd/es/checkbox";
import Input from "antd/es/input/Input";
import { type ReactNode, useId } from "react";
import styles from "./cpe-transfer.module.css";
import { type Ticked, tick, toggled, untick } from "./staged.ts";
import { type TemplateCpe, useTemplateTexts } from "./template-texts.ts";

/** More than this are found by typing: a list of thousands is not read. */
const shownAtMost = 200;

interface Props {
  readonly title: string;
  readonly cpes: readonly TemplateCpe[];
  /** Ids that crossed over and are not saved yet, with the label for it. */
  readonly marked: ReadonlyMap<number, TemplateCpe>;
  readonly mark: string;
  readonly ticked: Ticked;
  readonly onTick: (next: Ticked) => void;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly filter?: ReactNode;
  /** The template at hand: others may not be taken from. */
  readonly templateId: number;
  readonly empty: string;
}

/** One side of the transfer. */
export function CpeSide(props: Props) {
  const { title, cpes, ticked, onTick, search, onSearch, filter, empty } = props;
  const t = useTemplateTexts();
  const heading = useId();
  return (
    <fieldset className={styles.side} aria-labelledby={heading}>
      <div className={styles.head}>
        <span id={heading}>
          {title} <span className="w-quiet">{cpes.length}</span>
        </span>
        {filter}
        <Input
          allowClear
          value={search}
          placeholder={t("tem.alias")}
          aria-label={`${title} ${t("tem.alias")}`}
          onChange={(event) => onSearch(event.target.value)}
        />
      </div>
      <SelectAll {...props} />
      <ul className={styles.list}>
        {cpes.slice(0, shownAtMost).map((cpe) => (
          <Item key={cpe.id} cpe={cpe} props={props} toggle={() => onTick(toggled(ticked, cpe))} />
        ))}
        {cpes.length > shownAtMost && (
          <li className="w-quiet">{t("tem.moreCpes", { count: cpes.length - shownAtMost })}</li>
        )}
        {cpes.length === 0 && <li className="w-quiet">{empty}</li>}
      </ul>
    </fieldset>
  );
}

/** All that are found and may be moved, also those that the list has no room for. */
function SelectAll({ title, cpes, ticked, onTick, templateId }: Props) {
  const t = useTemplateTexts();
  const free = cpes.filter((cpe) => !isElsewhere(cpe, templateId));
  const count = free.filter(({ id }) => ticked.has(id)).length;
  const isAll = free.length > 0 && count === free.length;
  const toggle = (): void => onTick(isAll ? untick(ticked, free) : tick(ticked, free));
  return (
    <Checkbox
      aria-label={`${title} ${t("tem.all")}`}
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      disabled={free.length === 0}
      onChange={toggle}
    >
      {t("tem.allCount", { count: free.length })}
    </Checkbox>
  );
}

/** Of another template: it has to leave that one first. */
const isElsewhere = (cpe: TemplateCpe, templateId: number): boolean =>
  cpe.taken && cpe.templateId !== templateId;

interface ItemProps {
  readonly cpe: TemplateCpe;
  readonly props: Props;
  readonly toggle: () => void;
}

function Item({ cpe, props, toggle }: ItemProps) {
  const t = useTemplateTexts();
  const { id, alias, enterprise, templateName } = cpe;
  const isTaken = isElsewhere(cpe, props.templateId);
  return (
    <li>
      <Checkbox
        checked={props.ticked.has(id)}
        disabled={isTaken}
        onChange={toggle}
        className={styles.item ?? ""}
      >
        <span className={styles.alias} title={alias}>
          {alias}
        </span>
        <span className={styles.note}>
          {isTaken
            ? templateName === null
              ? t("tem.takenAbove")
              : t("tem.takenIn", { name: templateName })
            : enterprise.name}
        </span>
        {props.marked.has(id) && <strong className={styles.mark}>{props.mark}</strong>}
      </Checkbox>
    </li>
  );
}
