mod chip;
mod halves;
mod pack;
mod regroup;
mod script;
