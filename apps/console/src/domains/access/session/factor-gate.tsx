import { logout } from "@weft/contract/domains/access/session.ts";
import Button from "antd/es/button";
import { call } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import styles from "./account.module.css";
import { accountMessages } from "./account-messages.ts";
import { FactorCard } from "./factor-card.tsx";

interface Props {
  /** Reloads the session: now everything is open. */
  readonly onDone: () => Promise<void>;
  readonly onLeave: () => void;
}

/** Shown in place of the console to a user who has still to set up MFA. */
export function FactorGate({ onDone, onLeave }: Props) {
  const t = useTexts(accountMessages);
  const leave = async (): Promise<void> => {
    await call(logout, {}).catch(() => undefined);
    onLeave();
  };
  return (
    <div className={styles.gate}>
      <main className={styles.gateCard}>
        <h1>{t("factor.gateTitle")}</h1>
        <p>{t("factor.gateBody")}</p>
        {/* A failure ends the session, and the guard shows the login. */}
        <FactorCard onSetUp={() => void onDone().catch(() => undefined)} />
        <div className={styles.gateFoot}>
          <Button onClick={() => void leave()}>{t("factor.leave")}</Button>
        </div>
      </main>
    </div>
  );
}
