mod circuit;
mod complement;
mod others;
