"""Write single files, and folders of files that belong together."""

from corefscope.output.files import check_target, refuse_remote, write_file
from corefscope.output.folder import OutputFolder

__all__ = ["OutputFolder", "check_target", "refuse_remote", "write_file"]
