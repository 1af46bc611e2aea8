import { pages } from '#domain/site/pages.ts';
import { findMissing, type FieldErrors } from '../../ui/form/use-validated-form.ts';
import type { FormValues } from './auth-api.ts';

export type FormInput = {
  readonly label: string;
  readonly type: 'text' | 'email' | 'tel' | 'password';
  readonly required: boolean;
  readonly autoComplete: string;
  readonly hint?: string;
};

export const CONSENT = 'consent';

export type FormDefinition = { readonly submit: string; readonly inputs: readonly FormInput[]; readonly consent?: string };

export type AuthFormDefinition = FormDefinition & {
  readonly title: string;
  readonly heading: string;
  readonly other: { readonly question: string; readonly text: string; readonly to: string };
  readonly picture: { readonly src: string; readonly width: number; readonly height: number };
};

/** Returns a field's name: its label in lower case with underscores, so 'Confirm Password' becomes `confirm_password`. */
export const toFieldName = ({ label }: Pick<FormInput, 'label'>): string => label.toLowerCase().replaceAll(' ', '_');

export const findMissingFields = ({ inputs }: FormDefinition, values: FormValues): FieldErrors =>
  findMissing(inputs.filter(({ required }) => required).map(toFieldName), values);

export const authForms = {
  signIn: {
    title: 'Sign In',
    heading: 'Welcome back',
    submit: 'Sign In',
    inputs: [
      { label: 'Email', type: 'email', required: true, autoComplete: 'username' },
      { label: 'Password', type: 'password', required: true, autoComplete: 'current-password' },
    ],
    other: { question: 'New to the house?', text: 'Create an account', to: pages.signUp },
    picture: { src: '/pictures/products/ruh-gulab.webp', width: 1200, height: 1500 },
  },
  signUp: {
    title: 'Sign Up',
    heading: 'Join the house',
    submit: 'Create Account',
    inputs: [
      { label: 'Name', type: 'text', required: true, autoComplete: 'name' },
      { label: 'Email', type: 'email', required: true, autoComplete: 'email' },
      { label: 'Phone', type: 'tel', required: true, autoComplete: 'tel' },
      {
        label: 'Password',
        type: 'password',
        required: true,
        autoComplete: 'new-password',
        hint: 'At least 8 characters. Paste and password managers are welcome.',
      },
      { label: 'Confirm Password', type: 'password', required: true, autoComplete: 'new-password' },
    ],
    consent: 'Send me letters from Kannauj',
    other: { question: 'Already with us?', text: 'Sign in', to: pages.signIn },
    picture: { src: '/pictures/collections/floral.webp', width: 1000, height: 1250 },
  },
} as const satisfies Record<string, AuthFormDefinition>;
