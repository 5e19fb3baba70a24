import { TextField } from "../ui/field.tsx";

/** The password is the last field, so Enter sends the form. */
export function PasswordField({ isNew, error }: { isNew: boolean; error?: string | undefined }) {
  return (
    <TextField
      label="Password"
      name="password"
      type="password"
      isRequired
      autoComplete={isNew ? "new-password" : "current-password"}
      {...(isNew && { description: "At least 12 characters. A sentence is a good password." })}
      error={error}
    />
  );
}

export function EmailField({ error, value }: { error?: string | undefined; value?: string }) {
  return (
    <TextField
      label="E-mail"
      name="email"
      type="email"
      isRequired
      autoComplete="username"
      error={error}
      {...(value !== undefined && { defaultValue: value, isReadOnly: true })}
    />
  );
}
