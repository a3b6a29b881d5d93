import Checkbox from "antd/es/checkbox";
import Input from "antd/es/input";
import { type ReactNode, useId } from "react";
import styles from "./cpe-transfer.module.css";
import { type Ticked, toggled } from "./staged.ts";
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

interface ItemProps {
  readonly cpe: TemplateCpe;
  readonly props: Props;
  readonly toggle: () => void;
}

function Item({ cpe, props, toggle }: ItemProps) {
  const t = useTemplateTexts();
  const { id, alias, enterprise, templateId, templateName } = cpe;
  const isElsewhere = cpe.taken && templateId !== props.templateId;
  return (
    <li>
      <Checkbox
        checked={props.ticked.has(id)}
        disabled={isElsewhere}
        onChange={toggle}
        className={styles.item ?? ""}
      >
        <span className={styles.alias} title={alias}>
          {alias}
        </span>
        <span className={styles.note}>
          {isElsewhere
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
