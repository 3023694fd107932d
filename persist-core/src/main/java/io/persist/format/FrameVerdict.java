package io.persist.format;

/** What the bytes at a place where a frame may begin turn out to be. */
public enum FrameVerdict {
    /** A whole frame with the right checksum. */
    VALID,
    /** The length is 0: nothing was published here. */
    EMPTY,
    /** The length is negative, below a header's, or reaches past the segment's end. */
    BAD_LENGTH,
    /** The length is possible, but the checksum is not the one of this salt, position and content. */
    BAD_CHECKSUM
}
