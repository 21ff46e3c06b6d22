"""What may serve as a key, and the words in which another is refused."""


def require_hashable(key: object) -> None:
    """Refuse a key that can't be looked up.

    Raises:
        TypeError: `key` has no hash.
    """
    try:
        hash(key)
    except TypeError as error:
        raise TypeError(
            f"key must be hashable, got {type(key).__name__} {key!r}; use a str, an int, "
            f"or a tuple of such parts, for instance tuple(parts) in place of a list"
        ) from error


def require_findable(key: object) -> None:
    """Refuse a key that would never be found again, such as NaN or a tuple that holds it.

    Each of its calls would get a new limiter: no limit at all, and a map that only grows.

    Raises:
        ValueError: `key` is not equal to itself.
    """
    if not _equals_itself(key):
        raise ValueError(
            f"key {key!r} is not equal to itself, so no call would ever find its limiter "
            f"again; use a key that is, such as a str"
        )


def _equals_itself(key: object) -> bool:
    # A tuple counts a part as equal when it is the same object, which hides NaN.
    if isinstance(key, tuple | frozenset):
        return all(_equals_itself(part) for part in key)
    return bool(key == key)
