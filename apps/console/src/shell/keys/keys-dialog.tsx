import { formatMessage } from "@weft/contract/kernel/message.ts";
import { Fragment, type ReactNode } from "react";
import { useTexts } from "#client/texts.ts";
import { type Key, keyIds, keyTable, leader, type Place } from "#ui/keys/key-table.ts";
import { capsOf } from "#ui/keys/press.ts";
import { Modal } from "#ui/overlay/modal.tsx";
import { type GoPage, homeKey } from "./go-pages.ts";
import { KeySwitch } from "./key-switch.tsx";
import styles from "./keys-dialog.module.css";
import { keyMessages } from "./messages.ts";

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Screens with a letter. */
  readonly pages: readonly GoPage[];
}

const places = ["screen", "row", "anywhere"] as const satisfies readonly Place[];

/** All keys of the console in the reader's language, and the switch that turns letters off. */
export function KeysDialog({ open, onClose, pages }: Props) {
  const t = useTexts(keyMessages);
  const keys: readonly Key[] = keyIds.map((id) => keyTable[id]);
  return (
    <Modal
      open={open}
      onCancel={onClose}
      title={t("keys.title")}
      footer={null}
      width={760}
      destroyOnHidden
    >
      <div className={styles.groups}>
        <div>
          {places.map((place) => (
            <Group key={place} title={t(`keys.${place}`)}>
              {keys
                .filter(({ where }) => where === place)
                .map(({ press, text }) => (
                  <Row key={press[0]} text={formatMessage(text, t.language)}>
                    {press.map((stroke) => (
                      <Caps key={stroke} caps={capsOf(stroke)} />
                    ))}
                  </Row>
                ))}
            </Group>
          ))}
        </div>
        <Group title={t("keys.go")} note={t("keys.goHow")}>
          {pages.map(({ key, title }) => (
            <Row key={key} text={key === homeKey ? t("keys.home", { title }) : title}>
              <Caps caps={[leader, key]} />
            </Row>
          ))}
        </Group>
      </div>
      <KeySwitch />
    </Modal>
  );
}

interface GroupProps {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}

function Group({ title, note, children }: GroupProps) {
  return (
    <table className={styles.group}>
      <caption>
        {title}
        {note && <span> {note}</span>}
      </caption>
      <tbody>{children}</tbody>
    </table>
  );
}

function Row({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <tr>
      <th scope="row">{children}</th>
      <td>{text}</td>
    </tr>
  );
}

function Caps({ caps }: { readonly caps: readonly string[] }) {
  return (
    <span className={styles.caps}>
      {caps.map((cap) => (
        <Fragment key={cap}>
          <kbd>{cap}</kbd>{" "}
        </Fragment>
      ))}
    </span>
  );
}
