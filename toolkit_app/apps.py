"""The app of tools and environments."""

from django.apps import AppConfig


class ToolkitConfig(AppConfig):
    """Tools, versions, environments, secrets and the network policy."""

    name = "toolkit_app"
    verbose_name = "Tools"
