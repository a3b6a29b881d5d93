import type { ObjectChange, ObjectDifference } from "@weft/contract/domains/delivery/history.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import styles from "./difference-drawer.module.css";
import {
  fieldText,
  type HistoryTexts,
  objectText,
  sectionText,
  useHistoryTexts,
  valueText,
} from "./history-texts.ts";

interface Props {
  readonly objects: readonly ObjectDifference[];
  /** How many there are, beside those that are given. */
  readonly count: number;
  /** Shown when there are none. */
  readonly none: string;
}

/** Objects that are added, removed and changed, section by section. */
export function Differences({ objects, count, none }: Props) {
  const t = useHistoryTexts();
  if (objects.length === 0) return <EmptyState kind="good" text={none} />;
  return (
    <>
      {count > objects.length && (
        <p className="w-quiet">{t("difference.cut", { count, shown: objects.length })}</p>
      )}
      {[...Map.groupBy(objects, (one) => sectionText(one, t))].map(([section, inside]) => (
        <section key={section} className={styles.section}>
          <h3>{section}</h3>
          <ul className={styles.objects}>
            {inside.map((one) => (
              <ObjectRow key={`${one.kind} ${one.key}`} one={one} t={t} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Shape first, colour second: a grey print still reads. */
const icons: Readonly<Record<ObjectChange, string>> = { added: "+", removed: "−", changed: "~" };

function ObjectRow({ one, t }: { readonly one: ObjectDifference; readonly t: HistoryTexts }) {
  return (
    <li className={styles.object} data-change={one.change}>
      <span className={styles.sign} aria-hidden="true">
        {icons[one.change]}
      </span>
      <div>
        <div className={styles.head}>
          <span className="w-name">{objectText(one, t)}</span>
          <span className="w-quiet">{t(`difference.${one.change}`)}</span>
        </div>
        {one.fields.length > 0 && (
          <dl className={styles.fields}>
            {one.fields.map(({ field, old, new: now }) => (
              <FieldRow
                key={field}
                name={fieldText(field, t)}
                old={valueText(old, t, field)}
                now={valueText(now, t, field)}
              />
            ))}
          </dl>
        )}
      </div>
    </li>
  );
}

function FieldRow(props: {
  readonly name: string;
  readonly old: string | null;
  readonly now: string | null;
}) {
  const { name, old, now } = props;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {old !== null && <del>{old}</del>}
        {old !== null && now !== null && " → "}
        {now !== null && <ins>{now}</ins>}
        {old === null && now === null && "—"}
      </dd>
    </>
  );
}
