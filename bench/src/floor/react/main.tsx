// The least that a login page of React can weigh: two fields, a checkbox, a button.
import { useState } from "react";
import { createRoot } from "react-dom/client";

function Login() {
  const [isShown, setShown] = useState(false);
  return (
    <form>
      <h1>Log in</h1>
      <label>
        Name <input name="name" />
      </label>
      <label>
        Password <input name="password" type={isShown ? "text" : "password"} />
      </label>
      <button type="button" id="press" onClick={() => setShown(!isShown)}>
        {isShown ? "Hide" : "Show"}
      </button>
      <button type="submit">Log in</button>
    </form>
  );
}

const root = document.getElementById("root");
if (root) createRoot(root).render(<Login />);
