import { configure } from '@testing-library/react';

// What is waited for may be long on its way on a machine that has much else to do.
configure({ asyncUtilTimeout: 20_000 });
