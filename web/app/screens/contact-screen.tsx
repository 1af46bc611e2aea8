import { contactSaga } from '../../features/contact/contact-saga.ts';
import { ContactPage } from './ContactPage.tsx';
import type { Screen } from '../screen.ts';

export const contactScreen: Screen = { Component: ContactPage, saga: contactSaga };
