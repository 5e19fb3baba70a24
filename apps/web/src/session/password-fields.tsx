import { TextField } from "../ui/field.tsx";

export const NEW_PASSWORD_HINT = "At least 12 characters. A sentence is a good password.";

/** The password is the last field, so Enter sends the form. */
export function PasswordField({ isNew, error }: { isNew: boolean; error?: string | undefined }) {
  return (
    <TextField
      label="Password"
      name="password"
      type="password"
      isRequired
      autoComplete={isNew ? "new-password" : "current-password"}
      {...(isNew && { minLength: 12 })}
      {...(isNew && { description: NEW_PASSWORD_HINT })}
      error={error}
    />
  );
}

export function EmailField({ error, value }: { error?: string | undefined; value?: string }) {
  return (
    <TextField
      label="Email"
      name="email"
      type="email"
      isRequired
      autoComplete="username"
      error={error}
      {...(value !== undefined && { defaultValue: value, isReadOnly: true })}
    />
  );
}
