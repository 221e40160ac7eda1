// Debian builds libxml2 with ICU, whose headers clash with Foundation's own copy.
// authflow uses no ICU through libxml2, so the feature is switched off before the parsers are included.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
