"""The bundled media: real stores on which every applicable law is held."""
