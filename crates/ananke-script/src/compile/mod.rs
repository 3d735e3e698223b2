//! From TypeScript to a module of the engine, and from its positions back to the lines that the user wrote.
