// The table begins here.

import '../app.css';
import { mount } from 'svelte';
import { recall } from '../shell/theme.svelte';
import Table from './Table.svelte';

recall();
mount(Table, { target: document.getElementById('app')! });
