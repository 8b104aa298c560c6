"""Django's settings. What may differ between machines is read in `variables.py`, typed; everything else is fixed."""

from __future__ import annotations

from pathlib import Path

from csp.constants import NONCE, NONE, SELF

from workbench.keys import django_key, make_folder
from workbench.variables import read_variables

_read = read_variables()

BASE_DIR = Path(__file__).resolve().parent.parent
PAGES = Path(__file__).resolve().parent / "pages"
PORT: int = _read["PORT"]
HOST: str = _read["WORKBENCH_HOST"]
DATA: Path = _read["WORKBENCH_DATA"]
KEY_FILE: Path = _read["WORKBENCH_KEY_FILE"] or DATA / "keys.json"
TOOLS_FOLDER: Path | None = _read["WORKBENCH_TOOLS"]
RUNS_PER_USER: int = _read["WORKBENCH_RUNS_PER_USER"]
KEEP_RUNS_DAYS: int = _read["WORKBENCH_KEEP_RUNS_DAYS"]
KEEP_RUNS: int = _read["WORKBENCH_KEEP_RUNS"]

make_folder(DATA)
SECRET_KEY = django_key(DATA / "django.key")
DEBUG = False
_loopback = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS: list[str] = [*_loopback, *_read["WORKBENCH_ALLOWED_HOSTS"], *([HOST] if HOST != "0.0.0.0" else [])]  # noqa: S104 - compared, not bound

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "channels",
    "axes",
    "csp",
    "toolkit_app",
    "graph_app",
    "workbench",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "workbench.static_files.StaticFiles",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "workbench.urls"
ASGI_APPLICATION = "workbench.asgi.application"
APPEND_SLASH = True
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {}}]

DATABASES = {
    "default": _read["DATABASE_URL"]
    or {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA / "workbench.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
        "TEST": {"NAME": DATA / "test.sqlite3"},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CHANNEL_LAYERS = {
    "default": (
        {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [_read["REDIS_URL"]]},
        }
        if _read["REDIS_URL"]
        else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    )
}

AUTH_USER_MODEL = "workbench.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_DISABLE_ACCESS_LOG = True

HTTPS: bool = _read["WORKBENCH_HTTPS"]
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_COOKIE_SECURE = HTTPS
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in _read["WORKBENCH_ALLOWED_HOSTS"]] if HTTPS else []
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "no-referrer"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["workbench.access.TokenAuthentication", "workbench.access.CookieAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["workbench.access.RoleAllows"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "workbench.openapi.Schema",
    "EXCEPTION_HANDLER": "workbench.errors.problem_response",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Workbench",
    "VERSION": "1",
    "DESCRIPTION": "Tools, runs, environments and people of a Workbench server.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "OAS_VERSION": "3.1.0",
    "ENUM_NAME_OVERRIDES": {"SetUpKind": ["first_admin", "invitation", "reset"], "RunKind": ["tool", "graph"]},
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SERVE_PERMISSIONS": ["workbench.access.RoleAllows"],
}

STATIC_URL = "/static/"
STATICFILES_DIRS = [PAGES] if PAGES.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/.+$"  # the build puts a hash of the content into these names
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "workbench": {"level": "INFO"},
        "toolkit_app": {"level": "INFO"},
        "graph_app": {"level": "INFO"},
        "axes": {"level": "ERROR"},
        "django.request": {"level": "ERROR"},
    },
}
