import { AccountList } from "./account-list.tsx";

/** Accounts of mobile and soft terminals (section 7.3). */
export default function AccountPage() {
  return <AccountList />;
}
