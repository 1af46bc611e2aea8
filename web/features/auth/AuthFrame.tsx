import type { ReactNode } from 'react';
import { Picture } from '../../ui/Picture.tsx';
import type { AuthFormDefinition } from './auth-forms.ts';

type AuthFrameProps = { readonly picture: AuthFormDefinition['picture']; readonly children: ReactNode };

export const AuthFrame = ({ picture, children }: AuthFrameProps) => (
  <div className="lg:grid lg:min-h-[52rem] lg:grid-cols-2">
    <div className="relative hidden lg:block">
      <Picture {...picture} alt="" sizes="50vw" className="absolute inset-0 size-full object-cover object-[50%_60%]" />
    </div>
    <div className="flex items-center justify-center px-gutter py-14 lg:py-20">
      <div className="w-full max-w-form">{children}</div>
    </div>
  </div>
);
